import { randomUUID } from 'node:crypto'
import { ROOM_DEFAULTS, type RoomSettings } from '@seatwise/domain'
import { expect } from 'vitest'
import type {
  Admission,
  Corrected,
  EndReply,
  EndRequest,
  EnterReply,
  ExtendReply,
  FloorItem,
  JoinReply,
  JoinRequest,
  Line,
  LoadedTicket,
  LogEntry,
  MoveReply,
  PassReply,
  RangeItem,
  RestoreRequest,
  RoomAt,
  RoomChange,
  RoomNow,
  RoomState,
  Settlement,
  SettleReply,
  Sweep,
  TakeReply,
  TicketAct,
  TicketView,
} from '../../src/index.ts'
import { NO_PLACE } from '../../src/index.ts'
import type { LineHarness } from './harness.ts'

const DAY_MS = 86_400_000
const FAR_FUTURE = 4_000_000_000_000
const FAR_FROM_SOLD_OUT = 1_000
/** A little less than the longest time without a word of a server. */
const ATTEND_MS = 2_900

export interface TestRoomOptions {
  state?: Partial<Omit<RoomState, 'settings'>>
  settings?: Partial<RoomSettings>
  tickets?: readonly LoadedTicket[]
  corrections?: readonly Corrected[]
  /** Leave the bucket empty, as it is after a load. */
  emptyBucket?: boolean
}

export type OpenRoom = (options?: TestRoomOptions) => Promise<TestRoom>

/**
 * A room of its own, with a clock that only the test moves. It is loaded twice: the clock is pinned a day ahead in between,
 * and goes on from there, so that also the instant of the load is known.
 */
export async function openTestRoom(harness: LineHarness, options: TestRoomOptions = {}): Promise<TestRoom> {
  const room = new TestRoom(harness, randomUUID())
  await room.load(1, {})
  await harness.advance(room.id, DAY_MS)
  await room.load(2, options)
  // A minute fills any bucket that the default test settings describe.
  if (options.emptyBucket !== true) {
    if (options.tickets === undefined) await room.advance(60_000)
    else await room.attend(60_000)
  }
  await room.line.sweep(room.at, { batch: 0 })
  return room
}

/** Speaks for one room under its current epoch, for one visitor or operator at a time. */
export class TestRoom {
  readonly id: string
  readonly line: Line
  epoch = 0
  readonly #harness: LineHarness
  #operations = 0

  constructor(harness: LineHarness, id: string) {
    this.#harness = harness
    this.line = harness.line
    this.id = id
  }

  get at(): RoomAt {
    return { room: this.id, epoch: this.epoch, seenSeq: 0 }
  }

  async load(epoch: number, { state, settings, tickets = [], corrections }: TestRoomOptions): Promise<void> {
    await this.line.beginLoad(this.id, epoch, {
      ...testState(),
      ...state,
      settings: { ...testSettings(), ...settings },
    })
    if (tickets.length > 0) await this.line.loadTickets(this.id, epoch, tickets)
    await this.line.finishLoad(this.id, epoch, corrections)
    this.epoch = epoch
  }

  advance(ms: number): Promise<void> {
    return this.#harness.advance(this.id, ms)
  }

  /** Time passes while servers take heartbeats: they say so more often than the line asks for. */
  async attend(ms: number, onHop?: (ms: number) => void): Promise<void> {
    for (let left = ms; left > 0; left -= ATTEND_MS) {
      const hop = Math.min(left, ATTEND_MS)
      await this.advance(hop)
      await this.line.sweep(this.at, { batch: 0 })
      onHop?.(hop)
    }
  }

  /** Sweeps until there is nothing more to do. */
  async sweep(): Promise<Pick<Sweep, 'away' | 'expired'>> {
    const all = { away: 0, expired: 0 }
    for (let more = true; more; ) {
      const reply = await this.line.sweep(this.at, { batch: 1_000 })
      all.away += reply.away
      all.expired += reply.expired
      more = reply.more
    }
    return all
  }

  operation(): string {
    this.#operations++
    return `operation-${this.#operations}`
  }

  async join(identity: string, request: Partial<JoinRequest> = {}): Promise<JoinReply> {
    return only(await this.line.join(this.at, [joinRequest(identity, request)]))
  }

  /** Joins and expects a new ticket. */
  async draw(identity: string, request: Partial<JoinRequest> = {}): Promise<TicketView & TicketAct> {
    return drawn(await this.join(identity, request), identity)
  }

  /** Many visitors in one call. */
  async crowd(count: number, prefix = 'visitor'): Promise<(TicketView & TicketAct)[]> {
    const identities = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
    const replies = await this.line.join(
      this.at,
      identities.map((identity) => joinRequest(identity)),
    )
    return replies.map((reply, index) => drawn(reply, identities[index] ?? ''))
  }

  async look({ number, identity, generation }: TicketAct, heartbeat = false): Promise<TicketView> {
    return only(await this.line.look(this.at, [{ number, identity, generation, heartbeat }]))
  }

  /** Where a waiting ticket stands. */
  async rank(ticket: TicketAct): Promise<number | null> {
    return (await this.look(ticket)).rank
  }

  async heartbeat(...tickets: TicketAct[]): Promise<number[]> {
    const { back } = await this.line.heartbeat(
      this.at,
      tickets.map(({ number }) => number),
    )
    return back
  }

  admit(batch = 1_000, operation: string = this.operation()): Promise<Admission> {
    return this.line.admit(this.at, { batch, operation })
  }

  /** An operator lets so many in now. */
  admitNow(operatorCount: number, batch = 1_000, operation: string = this.operation()): Promise<Admission> {
    return this.line.admit(this.at, { batch, operation, operatorCount })
  }

  /** Lets in, and says who. */
  async admitted(batch?: number): Promise<number[]> {
    return (await this.admit(batch)).admitted.map(({ number }) => number)
  }

  async enter({ number, identity, generation }: TicketAct): Promise<EnterReply> {
    return only(await this.line.enter(this.at, [{ number, identity, generation }]))
  }

  async end(
    { number, identity, generation }: TicketAct,
    as: EndRequest['as'],
    operation: string = this.operation(),
  ): Promise<EndReply> {
    return only(await this.line.end(this.at, [{ number, identity, generation, as, operation }]))
  }

  async extend(
    { number, identity, generation }: TicketAct,
    byMs: number,
    operation: string = this.operation(),
  ): Promise<ExtendReply> {
    return only(await this.line.extend(this.at, [{ number, identity, generation, byMs, operation }]))
  }

  async move({ number, identity, generation }: TicketAct, operation: string = this.operation()): Promise<MoveReply> {
    return only(await this.line.move(this.at, [{ number, identity, generation, operation }]))
  }

  async check(number: number, fence: number | null): Promise<PassReply> {
    return only(await this.line.check(this.at, [{ number, fence: fence ?? -1 }]))
  }

  /** Claims seats at the gate, under the ticket's pass as it is now. */
  async take(ticket: TicketAct, quantity: number, operation: string = this.operation()): Promise<TakeReply> {
    const { number } = ticket
    const fence = (await this.look(ticket)).fence ?? -1
    return only(await this.line.take(this.at, [{ number, fence, quantity, operation }]))
  }

  /** News from the ledger, newer than all before unless it says otherwise; counts that are not given stay. */
  async settle(settlement: Partial<Settlement>): Promise<SettleReply> {
    const { stock, heldSeats, stockVersion } = await this.now()
    const before = { stock: stock ?? FAR_FROM_SOLD_OUT, heldSeats, version: stockVersion + 1 }
    return this.line.settle(this.at, { ...before, results: [], ...settlement })
  }

  /** The ledger says that a ticket has seats until a time, or none any more. */
  reserve({ number }: { number: number }, until: number | null, quantity = 1): Promise<SettleReply> {
    const reserved = until === null ? null : { until, quantity }
    return this.settle({ results: [{ operation: this.operation(), number, reserved }] })
  }

  /** Nothing is available, and nothing is held. */
  sellOut(): Promise<SettleReply> {
    return this.settle({ stock: 0, heldSeats: 0 })
  }

  async restore(request: RestoreRequest): Promise<JoinReply> {
    return only(await this.line.restore(this.at, [request]))
  }

  async change(change: Partial<RoomChange>): Promise<number> {
    const { seq } = await this.line.change(this.at, { operation: this.operation(), by: 'operator', ...change })
    return seq
  }

  now(): Promise<RoomNow> {
    return this.line.now(this.at)
  }

  range(fromRank = 0, toRank = 199): Promise<RangeItem[]> {
    return this.line.range(this.at, fromRank, toRank)
  }

  /** Numbers of those who wait, in order; the first two hundred. */
  async waiting(): Promise<number[]> {
    return (await this.range()).map(({ number }) => number)
  }

  /** The generation of every ticket that waits and is present, read page by page. */
  async present(): Promise<Map<number, number>> {
    const found = new Map<number, number>()
    for (let from: number | null = 0; from !== null; ) {
      const { runs, next } = await this.line.present(this.at, from)
      for (const { first, generations } of runs)
        for (const [index, generation] of generations.entries())
          if (generation > 0) found.set(first + index, generation)
      from = next
    }
    return found
  }

  floor(limit = 1_000): Promise<FloorItem[]> {
    return this.line.floor(this.at, limit)
  }

  log(afterSeq = 0): Promise<LogEntry[]> {
    return this.line.readLog(this.at, afterSeq, { limit: 100_000, waitMs: 0 })
  }

  async seq(): Promise<number> {
    return (await this.now()).seq
  }
}

/** Draws a ticket and lets it in. */
export async function letIn(room: TestRoom, identity = 'ada'): Promise<TicketView & TicketAct> {
  const ticket = await room.draw(identity)
  expect(await room.admitted()).toEqual([ticket.number])
  return { ...(await room.look(ticket)), identity }
}

export function joinRequest(identity: string, request: Partial<JoinRequest> = {}): JoinRequest {
  return { identity, class: 0, profile: '{}', ...request }
}

/** Settings under which capacity, rate and stock are out of the way until a test sets them. */
export function testSettings(): RoomSettings {
  return { ...ROOM_DEFAULTS, capacity: 1_000, ratePerMinute: 1_000_000, burst: 1_000_000 }
}

export function testState(): Omit<RoomState, 'settings'> {
  return {
    paused: false,
    message: null,
    opensAt: 0,
    closesAt: FAR_FUTURE,
    stock: null,
    heldSeats: 0,
    stockVersion: 0,
    nextNumber: 1,
    marks: {},
    lastPlaces: [NO_PLACE, NO_PLACE, NO_PLACE, NO_PLACE],
    passedPlace: NO_PLACE,
    usedCodes: [],
    logMax: 10_000,
    followWithinMs: null,
    reason: 'test',
  }
}

/** A waiting ticket as the ledger would load it. */
export function loadedTicket(number: number, ticket: Partial<LoadedTicket> = {}): LoadedTicket {
  return {
    number,
    identity: `loaded-${number}`,
    class: 0,
    place: number,
    generation: 1,
    joinedAt: 1_000,
    state: 'waiting',
    away: false,
    deadline: null,
    sessionEnd: null,
    fence: null,
    extended: false,
    reservedSeats: 0,
    limitKey: null,
    shown: null,
    ...ticket,
  }
}

function drawn(reply: JoinReply, identity: string): TicketView & TicketAct {
  expect(reply.status).toBe('joined')
  if (reply.status !== 'joined') throw new Error(`Expected a new ticket, got ${reply.status}`)
  const { status: _, ...view } = reply
  return { ...view, identity }
}

function only<Reply>(replies: readonly Reply[]): Reply {
  expect(replies).toHaveLength(1)
  const [reply] = replies
  if (reply === undefined) throw new Error('Expected one reply, got none')
  return reply
}
