import type { EventState, LogEntry } from '@seatwise/domain'
import { type Ledger, type RoomRow, readRoom } from '@seatwise/ledger'
import type { Admission, Line } from '@seatwise/line'
import type { Logger } from 'pino'
import type { SigningKeys } from '../identity/index.ts'
import { AdmissionPump } from './admission-pump.ts'
import { createAdmitNow } from './admit-now.ts'
import { createAnnounce } from './announce.ts'
import { createChanges } from './change-open-room.ts'
import { conductDraw } from './fair-start/conduct-draw.ts'
import type { DrawKit } from './fair-start/draw-kit.ts'
import { createLookUp } from './find-forgotten.ts'
import { Heartbeats } from './heartbeats.ts'
import { KnownRow } from './known-row.ts'
import { LogFollower } from './log/follow-log.ts'
import type { Lease } from './log/lease.ts'
import { tailLog } from './log/tail-log.ts'
import { createLooking } from './look-at-tickets.ts'
import { RoomPicture } from './picture/room-picture.ts'
import { TicketReader } from './picture/ticket-reader.ts'
import type { Room } from './room.ts'
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
  /** Decides which server draws; null where there is one. */
  readonly drawLease: Lease | null
  readonly drawKit: DrawKit
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

/** Opens a room on this server: attaches to its line, reads its log, and admits visitors. */
export async function openRoom(parts: RoomParts, id: string): Promise<OpenRoom> {
  const { ledger, line, metrics, now, followerLease: lease } = parts
  const log = parts.log.child({ room: id })
  const listeners = new Set<(entries: readonly LogEntry[]) => void>()
  const row = new KnownRow({ ...parts, id, log })
  const isOpen = () => !parts.closing.aborted

  const link = new RoomLink({ ...parts, room: id, log, onEpoch: begin })
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
  const draw = conductDraw({ ...parts, link, room: id, log, progress: () => picture.draw }, isOpen)
  const loops = [tailLog(tail, isOpen), follower?.run(isOpen), heads.run(isOpen), draw]

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
    // From here on the places in the tickets' tokens are not theirs.
    if (entries.some(({ change }) => change.kind === 'revealed')) tickets.restart()
    if (entries.some(isArrival)) pump.arrived()
    if (entries.some(freesSomething)) pump.nudge()
    if (entries.some(({ change }) => change.kind === 'changed')) row.reread()
    if (entries.length > 0) for (const listener of listeners) listener(entries)
  }

  const settling = createSettling(settleStep(line, link, () => pump.nudge()))
  const steps = createSteps(line, link, (view) => picture.learn(view))
  const { join, refuseCrowd, enter, extend, move, adopt } = steps
  const lookUp = createLookUp(ledger, id)

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
    get document() {
      return picture.document
    },
    get pace() {
      const { avgServiceMs, admissionsPerSecond } = picture
      return { avgServiceMs, admissionsPerSecond }
    },
    ...{ join, refuseCrowd, enter, extend, move, adopt },
    ...createLooking({ picture, heartbeats, steps, lookUp, link }),
    ...createChanges({ ...parts, id, link, row, picture, nudge: () => pump.nudge() }),
    ...createAnnounce({ id, ledger, line, link }),
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
    async forgetFollowed() {
      const followed = await readRoom(ledger.db, { roomId: id })
      await link.run(async (at) => {
        if (followed !== null && followed.epoch === at.epoch) await line.trim(at, followed.seq)
      })
    },
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
    isCancelled: () => row.isCancelled(),
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

/** The public part of the picture. */
function toldByPicture(picture: RoomPicture): Pick<Room, FromPicture> {
  return {
    now: () => picture.now(),
    freshNow: () => picture.freshNow(),
    preview: (change) => picture.preview(change),
    isJustBack: (number) => picture.isJustBack(number),
    placeOf: (ticket) => picture.placeOf(ticket),
    estimate: (number, rank) => picture.estimate(number, rank),
    pollAfterMs: (rank, waitSeconds) => picture.pollAfterMs(rank, waitSeconds),
    shouldListen: (rank) => picture.shouldListen(rank),
  }
}

type FromPicture =
  | 'now'
  | 'freshNow'
  | 'preview'
  | 'isJustBack'
  | 'placeOf'
  | 'estimate'
  | 'pollAfterMs'
  | 'shouldListen'

function isArrival({ change: { kind } }: LogEntry): boolean {
  return kind === 'joined' || kind === 'restored' || kind === 'back'
}

/** Whether a slot became free, or the settings changed. */
function freesSomething({ change }: LogEntry): boolean {
  switch (change.kind) {
    case 'completed':
    case 'expired':
    case 'changed':
    case 'revealed':
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
      return false
  }
}
