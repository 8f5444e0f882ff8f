import { faults } from '@seatwise/domain'
import { draws, type Ledger, type SizedRoot, treeBefore } from '@seatwise/ledger'
import { type DrawNote, type DrawnPlace, type DrawProgress, type Line, NO_PLACE, type RoomAt } from '@seatwise/line'
import type { Logger } from 'pino'
import { waitMs } from '../../kit/index.ts'
import type { Lease } from '../log/lease.ts'
import type { RoomLink } from '../room-link.ts'
import { randomnessOf } from './beacon/randomness.ts'
import type { DrawKit } from './draw-kit.ts'
import { type DrawnOrder, seedOf } from './draw-order.ts'
import { orderInThread } from './order-in-thread.ts'

/** How often a room without a draw under way is looked at. */
const IDLE_MS = 500
/** While the ledger copies the entry that seals, or another server draws. */
const SOON_MS = 50
const RETRY_MS = 1_000
/** While the beacon's round is not published. */
const BEACON_MS = 500
const NO_BEACON = { status: 'known', signature: null, bytes: Buffer.alloc(0) } as const
/** Tickets placed at once in the ledger, and in the line, where all other calls wait for a step: some milliseconds each. */
const SLICE = 5_000
const STEP = 1_000

export const DRAW_LEASE_MS = 3_000

export interface DrawParts {
  readonly ledger: Ledger
  readonly line: Line
  readonly link: Pick<RoomLink, 'epoch' | 'runPatiently' | 'saw'>
  readonly room: string
  readonly log: Logger
  /** One server draws; a second one would only do the same work again. Null where there is one server. */
  readonly drawLease: Lease | null
  readonly drawKit: DrawKit
  /** How far the draw is, as far as this server has read the log; null without one. */
  readonly progress: () => DrawProgress | null
}

/**
 * Seals the line of a room when its sale opens, draws, and reveals. Each step changes nothing when it is done again, and
 * reads only the ledger, so any server may continue at any point. Rules J5–J9.
 */
export async function conductDraw(parts: DrawParts, isOpen: () => boolean): Promise<void> {
  let failing = false
  while (isOpen()) {
    let restMs = IDLE_MS
    try {
      restMs = await advance(parts)
      if (failing) parts.log.info('the draw goes on')
      failing = false
    } catch (err) {
      if (!isOpen()) return
      if (!failing) parts.log.error({ err }, 'the line cannot be drawn, trying again')
      failing = true
      restMs = RETRY_MS
    }
    await waitMs(restMs)
  }
}

/** Does what can be done now; returns when to look again. */
async function advance(parts: DrawParts): Promise<number> {
  const { line, link } = parts
  const progress = parts.progress()
  if (progress === null || progress === 'revealed') return IDLE_MS
  const seal = await link.runPatiently(async (at) => {
    const reply = await line.seal(at)
    link.saw(at.epoch, reply.seq)
    return reply
  })
  if (seal.status === 'early') return Math.min(seal.waitMs, IDLE_MS)
  if (seal.status !== 'sealed') return IDLE_MS
  if (faults.on) await faults.reach('draw.after-seal')
  return await drawSealed(parts)
}

async function drawSealed(parts: DrawParts): Promise<number> {
  const { ledger, room } = parts
  const draw = await draws.readDraw(ledger.db, room)
  // A seal counts once it is in the ledger.
  if (draw?.sealed == null) return SOON_MS
  if (parts.drawLease !== null && (await parts.drawLease.hold(room)) === null) return SOON_MS
  const tree = await treeOf(parts, draw, draw.sealed)
  if (tree === null) return SOON_MS
  const beacon =
    draw.note.mode === 'drand'
      ? await randomnessOf({ ...parts, beacon: parts.drawKit.beacon }, draw, tree.size)
      : NO_BEACON
  if (beacon.status === 'late') return await announceAgain(parts, draw.note, beacon.round)
  if (beacon.status === 'awaited') return BEACON_MS
  const secret = parts.drawKit.open(room, draw)
  const seed = seedOf(secret, Buffer.from(tree.root, 'hex'), beacon.bytes)
  const { numbers, classes } = await draws.readDrawnTickets(ledger, room, draw.sealed)
  if (numbers.length !== draw.sealed.count) {
    throw new Error(`The log has ${numbers.length} tickets to draw, and ${draw.sealed.count} were sealed`)
  }
  const drawn = await orderInThread({ roomId: room, seed, numbers, classes })
  if (faults.on) await faults.reach('draw.before-places')
  const { epoch } = parts.link
  await placeAll(parts, numbers, drawn)
  if (faults.on) await faults.reach('draw.before-reveal')
  const isRevealed = await parts.link.runPatiently((at) =>
    reveal(parts, at, epoch, { secret, signature: beacon.signature }, drawn),
  )
  if (faults.on) await faults.reach('draw.after-reveal')
  return isRevealed ? IDLE_MS : 0
}

/** The seal was signed when its round existed already: another round decides. Rule J11. */
async function announceAgain({ line, link, log }: DrawParts, note: DrawNote, round: number): Promise<number> {
  log.warn({ round }, 'the seal came too late for its round of the beacon: another one is announced')
  await link.runPatiently(async (at) => {
    const change = { by: 'draw', operation: `redraw-${note.round}`, draw: { ...note, round } }
    link.saw(at.epoch, (await line.change(at, change)).seq)
  })
  return BEACON_MS
}

async function treeOf(
  { ledger, room }: DrawParts,
  { commitment, treeSize, treeRoot }: draws.DrawRow,
  seal: { epoch: number; seq: number },
): Promise<SizedRoot | null> {
  if (treeSize !== null && treeRoot !== null) return { size: treeSize, root: treeRoot }
  const tree = await treeBefore(ledger.db, room, seal)
  if (tree === null) return null
  await draws.noteDraw(ledger.db, { room, commitment }, { tree_size: tree.size, tree_root: tree.root })
  return tree
}

/** The ledger first: a line that is lost in between is rebuilt from it. */
async function placeAll(
  { ledger, line, link, room, drawLease }: DrawParts,
  numbers: Float64Array,
  { places }: DrawnOrder,
): Promise<void> {
  for (let from = 0; from < numbers.length; from += SLICE) {
    const slice: DrawnPlace[] = []
    for (let index = from; index < Math.min(from + SLICE, numbers.length); index++) {
      slice.push({ number: numbers[index] ?? 0, place: places[index] ?? 0 })
    }
    await draws.placeTickets(ledger.db, room, slice)
    for (let step = 0; step < slice.length; step += STEP)
      await link.runPatiently((at) => line.rearrange(at, slice.slice(step, step + STEP)))
    if (faults.on) await faults.reach('draw.between-places')
    await drawLease?.hold(room)
  }
}

/** False when the line was rebuilt meanwhile: then all places are given again. */
async function reveal(
  { line, link }: DrawParts,
  at: RoomAt,
  epoch: number,
  { secret, signature }: { secret: Buffer; signature: string | null },
  { counts }: DrawnOrder,
): Promise<boolean> {
  if (at.epoch !== epoch) return false
  const { seq } = await line.reveal(at, {
    ...{ secret: secret.toString('hex'), lastPlaces: lastPlacesOf(counts) },
    ...(signature === null ? {} : { signature }),
  })
  link.saw(at.epoch, seq)
  return true
}

/** Higher classes have the lower places, so the last place of a class is also that of those above it. */
function lastPlacesOf([normal, elevated, vip, premium]: DrawnOrder['counts']): [number, number, number, number] {
  const ends = [normal + elevated + vip + premium, elevated + vip + premium, vip + premium, premium]
  const [first = 0, second = 0, third = 0, fourth = 0] = ends.map((end) => (end === 0 ? NO_PLACE : end))
  return [first, second, third, fourth]
}
