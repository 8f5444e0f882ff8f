import { randomUUID } from 'node:crypto'
import type { EventState, LogEntry } from '@seatwise/domain'
import { changeRoom, type Ledger, type RoomEdit, type RoomRow, readRoom } from '@seatwise/ledger'
import type { Admission, EndReply, EndRequest, Line, RoomChange } from '@seatwise/line'
import type { Logger } from 'pino'
import type { SigningKeys } from '../identity/index.ts'
import { AdmissionPump } from './admission-pump.ts'
import { createAdmitNow } from './admit-now.ts'
import { createLookUp, findEnded, findForgotten } from './find-forgotten.ts'
import { Heartbeats } from './heartbeats.ts'
import { KnownRow } from './known-row.ts'
import { LogFollower } from './log/follow-log.ts'
import type { Lease } from './log/lease.ts'
import { tailLog } from './log/tail-log.ts'
import { RoomPicture } from './picture/room-picture.ts'
import { TicketReader } from './picture/ticket-reader.ts'
import type { FarView, Position, Room, TicketClaims } from './room.ts'
import { RoomLink } from './room-link.ts'
import type { RoomMetrics } from './room-metrics.ts'
import { createSteps } from './room-steps.ts'
import { createSettling, settleStep, takeStep } from './settling.ts'
import { sweepRoom } from './sweep-room.ts'
import { RoomHeads } from './transparency/room-heads.ts'
import { createTransparency } from './transparency/room-transparency.ts'

export interface RoomParts {
  readonly ledger: Ledger
  readonly line: Line
  readonly log: Logger
  readonly metrics: RoomMetrics
  /** Decides which server copies a room's log to the ledger; null when the line itself commits it there (embedded). */
  readonly followerLease: Lease | null
  /** Signs heads of logs, in the name of this host. */
  readonly signing: { readonly keys: SigningKeys; readonly host: string }
  readonly now: () => number
  /** Whether this server answers polls now. */
  readonly takesHeartbeats: () => boolean
  /** Aborted when the server stops. */
  readonly closing: AbortSignal
}

export interface OpenRoom extends Room {
  /** Sends the collected heartbeats. Must be called before `closing` is aborted. */
  flush(): Promise<void>
  /** The event was published or cancelled, perhaps on another server. */
  learnState(state: EventState | null): void
  /** The sizes of its queues and maps. */
  sizes(): RoomSizes
  /** Resolves when all background work of this room has ended. */
  ended(): Promise<void>
}

export interface RoomSizes {
  readonly queuedRequests: number
  readonly heartbeats: number
  readonly knownTickets: number
  readonly recentChanges: number
  readonly passedOver: number
  readonly shownEstimates: number
  readonly listeners: number
  /** Entries that wait to be copied to the ledger. */
  readonly pendingEntries: number
  /** Entries of the log that the ledger lacks, counted by the server that follows it. */
  readonly unfollowed: number
}

/** Whether the event was cancelled is asked this often at most, and only after its sale ended. */
const LOOK_AT_STATE_MS = 1_000

/** Opens a room on this server: attaches to its line, reads its log, and admits visitors. */
export async function openRoom(parts: RoomParts, id: string): Promise<OpenRoom> {
  const { ledger, line, metrics, now, followerLease: lease } = parts
  const log = parts.log.child({ room: id })
  const listeners = new Set<(entries: readonly LogEntry[]) => void>()
  const row = new KnownRow({ ...parts, id, log })
  const isOpen = () => !parts.closing.aborted

  const link = new RoomLink({ room: id, line, ledger, log, closing: parts.closing, onEpoch: begin })
  const askNow = () => link.run((at) => line.now(at))
  const onCopied = () => heads.nudge()
  const follower = lease && new LogFollower({ ledger, line, link, room: id, log, lease, onCopied })
  const heads = headsOf({ ...parts, log }, id, follower)
  const picture = new RoomPicture(askNow, now, { hidesSeats: () => row.hidesSeats, head: () => heads.current })
  const tickets = new TicketReader({ line, link, log, learn: (page) => picture.learnPage(page) }, isOpen)
  await link.open()
  const heartbeats = new Heartbeats((numbers) => link.run((at) => line.heartbeat(at, numbers)))
  const admitting = { line, link, log, onAdmission: (admission: Admission) => metrics.admission(admission) }
  const pump = new AdmissionPump(admitting)
  const sweeper = sweepRoom({ ...parts, link, log })
  const tail = { line, link, log, followedSeq: () => picture.seq, onEntries: follow, onGap: miss }
  const loops = [tailLog(tail, isOpen), follower?.run(isOpen), heads.run(isOpen)]

  async function begin(opened: RoomRow): Promise<void> {
    row.learn(opened)
    const state = await line.now({ room: id, epoch: opened.epoch, seenSeq: opened.seq })
    link.saw(state.epoch, state.seq)
    picture.begin(state)
    tickets.restart()
  }

  /** Part of the log up to `seq` was trimmed before this server read it. */
  function miss(seq: number): void {
    picture.doubt(seq)
    tickets.restart()
  }

  function follow(entries: readonly LogEntry[]): void {
    follower?.read(entries)
    // In one process the ledger has them already.
    if (follower === null && entries.length > 0) heads.nudge()
    picture.follow(entries)
    if (entries.some(isArrival)) pump.arrived()
    if (entries.some(freesSomething)) pump.nudge()
    if (entries.some(({ change }) => change.kind === 'changed')) row.reread()
    if (entries.length > 0) for (const listener of listeners) listener(entries)
  }

  let lookedAt = 0
  const settling = createSettling(settleStep(line, link, () => pump.nudge()))
  const steps = createSteps(line, link, (view) => picture.learn(view))
  const { join, refuseCrowd, enter, extend, move, adopt } = steps
  const lookUp = createLookUp(ledger, id)

  function lookFar(ticket: TicketClaims): FarView | null {
    const far = picture.farView(ticket)
    if (far !== null) heartbeats.add(ticket.number)
    return far
  }

  async function positionOf(ticket: TicketClaims): Promise<Position> {
    const far = lookFar(ticket)
    if (far !== null) return { view: far, exact: false }
    const { number, identity, generation } = ticket
    const view = await steps.look({ number, identity, generation, heartbeat: true })
    if (view.state === null)
      return {
        view: await findForgotten({ lookUp, restore: steps.restore, epoch: link.epoch }, ticket, view),
        exact: true,
      }
    picture.learn(view)
    return { view, exact: true }
  }

  async function endOnce(request: EndRequest): Promise<EndReply> {
    const reply = await steps.end(request)
    return reply.status === 'unknown' ? await findEnded(lookUp, request, { ...reply, status: 'unknown' }) : reply
  }

  return {
    id,
    get row() {
      return row.value
    },
    get isPresale() {
      return row.isPresale
    },
    get epoch() {
      return link.epoch
    },
    get settings() {
      return picture.settings
    },
    get pace() {
      const { avgServiceMs, admissionsPerSecond } = picture
      return { avgServiceMs, admissionsPerSecond }
    },
    ...{ join, refuseCrowd, enter, extend, move, adopt },
    look: positionOf,
    lookFar,
    end: endOnce,
    async change(change, undoes) {
      const by = { id: change.by, ...(undoes !== undefined && { undoes }) }
      row.learn(await changeRoom(ledger.db, id, editOf(change), by))
      await link.run(async (at) => {
        const { seq } = await line.change(at, { ...change, operation: randomUUID() })
        link.saw(at.epoch, seq)
        // The other servers learn it from the log; this server applies it before it answers.
        if (at.epoch === link.epoch) picture.learnSettings(seq, change.settings ?? {})
      })
      pump.nudge()
    },
    ...createAdmitNow(admitting, () => picture.settings.capacity),
    take: takeStep(line, link),
    settle: (settlement) => settling.send(settlement),
    ...toldByPicture(picture),
    heartbeat: (number) => heartbeats.add(number),
    async holderOf(number, fence) {
      const reply = await steps.check({ number, fence })
      return reply.status === 'counts' ? reply : null
    },
    async hasCompleted(number, fence) {
      const reply = await steps.check({ number, fence })
      if (reply.status === 'counts') return false
      const state = reply.state ?? (await lookUp(number))?.state
      return state === 'completed'
    },
    range: (from, to) => link.run((at) => line.range(at, from, to)),
    floor: (limit) => link.run((at) => line.floor(at, limit)),
    transparency: createTransparency({ ledger, room: id }, heads),
    onEntries(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    sizes() {
      const counts = { queuedRequests: steps.queued(), heartbeats: heartbeats.size, listeners: listeners.size }
      const log = { pendingEntries: follower?.pending ?? 0, unfollowed: follower?.behind ?? 0 }
      return { ...picture.sizes(), ...counts, ...log }
    },
    learnState: (state) => row.learnState(state),
    async isCancelled() {
      const isKnown = row.state === 'cancelled' || row.state === null
      if (!isKnown && now() - lookedAt >= LOOK_AT_STATE_MS) {
        lookedAt = now()
        row.learnState((await readRoom(ledger.db, { roomId: id }))?.state ?? null)
      }
      return row.state === 'cancelled'
    },
    flush: () => heartbeats.close(),
    async ended() {
      await Promise.all([pump.close(), sweeper.close()])
      await tickets.ended()
      await Promise.all([...loops, row.ended()])
    },
  }
}

/** The server that copies the log signs its heads; in one process that is this one. */
function headsOf({ ledger, log, signing, closing }: RoomParts, room: string, follower: LogFollower | null): RoomHeads {
  return new RoomHeads({ ledger, room, log, ...signing, closing, isSigner: () => follower?.isHolding ?? true })
}

/** The part of a change that the ledger stores with the room: the sale window belongs to the event. */
function editOf({ settings, paused, message }: Omit<RoomChange, 'operation'>): RoomEdit {
  return {
    ...(settings && { settings }),
    ...(paused !== undefined && { paused }),
    ...(message !== undefined && { message }),
  }
}

/** The public part of the picture. */
function toldByPicture(picture: RoomPicture): Pick<Room, FromPicture> {
  return {
    now: () => picture.now(),
    freshNow: () => picture.freshNow(),
    preview: (change) => picture.preview(change),
    isJustBack: (number) => picture.isJustBack(number),
    estimate: (number, rank) => picture.estimate(number, rank),
    pollAfterMs: (rank, waitSeconds) => picture.pollAfterMs(rank, waitSeconds),
    shouldListen: (rank) => picture.shouldListen(rank),
  }
}

type FromPicture = 'now' | 'freshNow' | 'preview' | 'isJustBack' | 'estimate' | 'pollAfterMs' | 'shouldListen'

function isArrival({ change: { kind } }: LogEntry): boolean {
  return kind === 'joined' || kind === 'restored' || kind === 'back'
}

/** Whether a slot became free, or the settings changed. */
function freesSomething({ change }: LogEntry): boolean {
  switch (change.kind) {
    case 'completed':
    case 'expired':
    case 'changed':
    case 'reserved':
    case 'corrected':
      return true
    case 'opened':
    case 'joined':
    case 'restored':
    case 'back':
    case 'admitted':
    case 'entered':
    case 'away':
    case 'extended':
    case 'moved':
    case 'adopted':
    case 'attended':
    case 'classed':
    case 'grouped':
    case 'codes':
    case 'prices':
    case 'draw':
    case 'sealed':
    case 'revealed':
      return false
  }
}
