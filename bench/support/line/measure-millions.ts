import { randomUUID } from 'node:crypto'
import { NUMBERS_MAX, ROOM_DEFAULTS } from '@seatwise/domain'
import { type Line, type LoadedTicket, NO_PLACE, type RoomAt } from '@seatwise/line'
import { newVisitors } from './line-room.ts'

/** What one step costs in a line of this length, in microseconds. */
export interface MillionsPoint {
  readonly waiting: number
  readonly join: number
  /** An exact answer to a visitor who asks for their position. */
  readonly look: number
  /** The public document of the room, built once a second. */
  readonly now: number
  /** A sweep in which no ticket is due. */
  readonly idleSweep: number
  /** Marking one absent ticket away. */
  readonly absentee: number
  /** Letting one ticket in. */
  readonly admission: number
  readonly bytesEach: number
  /** Loading the line, as a rebuild does after it has read the tickets. */
  readonly loadSeconds: number
}

export interface Meter {
  microseconds(): Promise<number>
  bytes(): Promise<number>
}

const LOAD_CHUNK = 5_000
const BATCH = 100
const ROUNDS = 50
const NOW_READS = 20
const SWEEPS = 50
const ADMIT_BATCH = 200
const SILENCE_MS = 1_000
const WAITING_MAX = 100_000_000
/** A line grows by no more than this share of its length while it is measured. */
const GROWTH_MAX = 0.2

/** Loads a line of this length through `loadTickets`, in chunks, and measures its steps. The room is removed afterwards. */
export async function measureMillions(line: Line, meter: Meter, waiting: number): Promise<MillionsPoint> {
  const before = await meter.bytes()
  const started = performance.now()
  const at = await loadRoom(line, waiting)
  const loadSeconds = (performance.now() - started) / 1_000
  const bytesEach = ((await meter.bytes()) - before) / waiting
  const spent = async (times: number, work: () => Promise<unknown>): Promise<number> => {
    const from = await meter.microseconds()
    for (let count = 0; count < times; count += 1) await work()
    return ((await meter.microseconds()) - from) / times
  }
  await line.sweep(at, { batch: 0 })
  const idleSweep = await spent(SWEEPS, () => line.sweep(at, { batch: NUMBERS_MAX }))
  const joins = Math.max(1, Math.min(ROUNDS, Math.floor((waiting * GROWTH_MAX) / BATCH)))
  const { join, look } = await measureVisitors(line, at, spent, joins)
  const now = await spent(NOW_READS, () => line.now(at))
  const rounds = Math.max(1, Math.min(ROUNDS, Math.floor(waiting / 4 / ADMIT_BATCH)))
  const admission = await measureAdmission(line, at, spent, rounds)
  const absentee = await measureAbsentees(line, at, spent, Math.min(20, Math.floor(waiting / 2 / BATCH)))
  await line.drop(at.room)
  return { waiting, join, look, now, idleSweep, absentee, admission, bytesEach, loadSeconds }
}

/** The means of several rooms: a short line stays short only for a few steps. */
export async function measureOften(line: Line, meter: Meter, waiting: number, rooms: number): Promise<MillionsPoint> {
  const points: MillionsPoint[] = []
  while (points.length < rooms) points.push(await measureMillions(line, meter, waiting))
  const mean = (field: keyof MillionsPoint): number => points.reduce((sum, point) => sum + point[field], 0) / rooms
  return {
    ...{ waiting, join: mean('join'), look: mean('look'), now: mean('now'), idleSweep: mean('idleSweep') },
    ...{ absentee: mean('absentee'), admission: mean('admission'), bytesEach: mean('bytesEach') },
    loadSeconds: mean('loadSeconds'),
  }
}

type Spent = (times: number, work: () => Promise<unknown>) => Promise<number>

async function measureVisitors(
  line: Line,
  at: RoomAt,
  spent: Spent,
  rounds: number,
): Promise<{ join: number; look: number }> {
  const sums = { join: 0, look: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const visitors = newVisitors(BATCH)
    let replies: Awaited<ReturnType<Line['join']>> = []
    sums.join += await spent(1, async () => {
      replies = await line.join(at, visitors)
    })
    const questions = replies.map((reply, index) => {
      if (reply.status !== 'joined') throw new Error(`A join was answered ${reply.status}`)
      const identity = visitors[index]?.identity ?? ''
      return { number: reply.number, identity, generation: 1, heartbeat: false }
    })
    sums.look += await spent(1, () => line.look(at, questions))
    await line.trim(at, replies.at(-1)?.seq ?? 0)
  }
  return { join: sums.join / rounds / BATCH, look: sums.look / rounds / BATCH }
}

/** Every call lets in a full batch. */
async function measureAdmission(line: Line, at: RoomAt, spent: Spent, rounds: number): Promise<number> {
  const pace = { capacity: 1_000_000, ratePerMinute: 1_000_000, burst: 1_000_000, heartbeatTimeoutSeconds: 3_600 }
  await line.change(at, { operation: 'open', by: 'bench', paused: false, settings: pace })
  await untilTokens(line, at, rounds)
  const each = await spent(rounds, async () => {
    const { admitted } = await line.admit(at, { batch: ADMIT_BATCH, operation: randomUUID() })
    if (admitted.length !== ADMIT_BATCH) throw new Error(`An admission let in ${admitted.length} tickets`)
  })
  return each / ADMIT_BATCH
}

/** The bucket fills with time. */
async function untilTokens(line: Line, at: RoomAt, rounds: number): Promise<void> {
  const { now: from } = await line.now(at)
  while (((await line.now(at)).now - from) * (1_000_000 / 60_000) < rounds * ADMIT_BATCH) await pause()
}

/** The whole line falls silent; every call marks a full batch. */
async function measureAbsentees(line: Line, at: RoomAt, spent: Spent, rounds: number): Promise<number> {
  await line.change(at, { operation: 'close', by: 'bench', paused: true, settings: { heartbeatTimeoutSeconds: 1 } })
  const { now: from } = await line.now(at)
  while ((await line.now(at)).now - from <= 2 * SILENCE_MS) {
    await line.sweep(at, { batch: 0 })
    await pause()
  }
  const each = await spent(rounds, async () => {
    const { away } = await line.sweep(at, { batch: BATCH })
    if (away !== BATCH) throw new Error(`A sweep marked ${away} tickets away`)
  })
  return each / BATCH
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 100)
  })
}

async function loadRoom(line: Line, waiting: number): Promise<RoomAt> {
  const id = randomUUID()
  await line.beginLoad(id, 1, {
    settings: { ...ROOM_DEFAULTS, maxWaiting: WAITING_MAX },
    ...{ paused: true, message: null, opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER },
    ...{ stock: null, heldSeats: 0, stockVersion: 0, nextNumber: waiting + 1, marks: {} },
    lastPlaces: [waiting, NO_PLACE, NO_PLACE, NO_PLACE],
    passedPlace: NO_PLACE,
    ...{ usedCodes: [], logMax: 10_000_000, followWithinMs: null, reason: 'bench' },
  })
  for (let from = 1; from <= waiting; from += LOAD_CHUNK) {
    const size = Math.min(LOAD_CHUNK, waiting - from + 1)
    await line.loadTickets(
      id,
      1,
      Array.from({ length: size }, (_, index) => ticketOf(from + index)),
    )
  }
  await line.finishLoad(id, 1)
  return { room: id, epoch: 1, seenSeq: 0 }
}

function ticketOf(number: number): LoadedTicket {
  return {
    ...{ number, identity: identityOf(number), class: 0, place: number, generation: 1, joinedAt: 1_700_000_000_000 },
    ...{ state: 'waiting', away: false, deadline: null, sessionEnd: null, fence: null, extended: false },
    ...{ reservedSeats: 0, limitKey: null, shown: null },
  }
}

const MIXED = Buffer.alloc(12)

/** Sixteen characters that differ from their neighbours' everywhere, as those of hashes do. */
function identityOf(number: number): string {
  MIXED.writeUInt32BE(Math.imul(number, 0x9e3779b1) >>> 0, 0)
  MIXED.writeUInt32BE(Math.imul(number ^ 0x5bd1e995, 0x85ebca6b) >>> 0, 4)
  MIXED.writeUInt32BE(Math.imul(number ^ 0x27d4eb2f, 0xc2b2ae35) >>> 0, 8)
  return MIXED.toString('base64url')
}
