import { EstimateJudge, type LogEntry, numbersIn, ROOM_DEFAULTS, type RoomSettings } from '@seatwise/domain'
import { type Line, NO_PLACE, openMemoryLine, type RoomAt } from '@seatwise/line'
import { Estimates } from '../../../src/rooms/picture/estimates.ts'
import { type Answer, SaleWatch } from './sale-watch.ts'
import { arrivalsOf, type CrowdSettings, type Temper, temperOf } from './simulated-crowd.ts'

/*
 * A sale in virtual time on the real line in memory. Visitors arrive, leave, vanish, are let in, take their time, reserve,
 * pay or do not. Nothing here waits, and one seed gives one sale.
 */

export interface SaleSettings {
  readonly crowd: CrowdSettings
  /** Null: stock does not matter. */
  readonly seats: number | null
  readonly room: Partial<RoomSettings>
  /** What the operator does, and when. */
  readonly changes?: readonly { readonly atMs: number; readonly settings?: Partial<RoomSettings>; paused?: boolean }[]
}

export interface SimulatedVisitor extends Temper {
  readonly number: number
  readonly identity: string
  fence: number
  admittedAt: number | null
  seats: number
  state: 'waiting' | 'floor' | 'over'
}

const TICK_MS = 250
const STARTED_AT = 1_800_000_000_000
const HOURS_MAX = 3

/** Runs the sale to its end. Returns every answer that a visitor got while waiting. */
export async function runSale(settings: SaleSettings, random: () => number): Promise<Answer[]> {
  return (await runJudgedSale(settings, random)).answers
}

/** The same, with the judgement that a reader of the log alone comes to. */
export async function runJudgedSale(settings: SaleSettings, random: () => number) {
  const sale = await SimulatedSale.open(settings, random)
  return { answers: await sale.run(), figures: sale.judge.figures() }
}

class SimulatedSale {
  readonly judge = new EstimateJudge()
  readonly #settings: SaleSettings
  readonly #random: () => number
  readonly #line: Line
  readonly #clock: { nowMs: number }
  readonly #estimates: Estimates
  readonly #watch: SaleWatch
  readonly #visitors = new Map<number, SimulatedVisitor>()
  /** What happens in a tick. */
  readonly #due = new Map<number, (() => Promise<void> | void)[]>()
  #tick = 0
  #live = 0
  #joined = 0
  #seq = 0
  #operations = 0
  readonly #counts: { version: number; stock: number; heldSeats: number }
  /** Tickets seen since the last tick. */
  #seen: number[] = []

  static async open(settings: SaleSettings, random: () => number): Promise<SimulatedSale> {
    const clock = { nowMs: STARTED_AT }
    const line = openMemoryLine({ clock: () => clock.nowMs })
    await line.beginLoad('sale', 1, {
      settings: { ...ROOM_DEFAULTS, ...settings.room },
      ...{ paused: false, message: null, opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER },
      ...{ stock: settings.seats, heldSeats: 0, stockVersion: 0, nextNumber: 1, marks: {} },
      lastPlaces: [0, NO_PLACE, NO_PLACE, NO_PLACE],
      passedPlace: NO_PLACE,
      ...{ usedCodes: [], logMax: 1_000_000, followWithinMs: null, reason: 'opened' },
    })
    await line.finishLoad('sale', 1)
    const estimates = new Estimates(await line.now({ room: 'sale', epoch: 1, seenSeq: 0 }))
    return new SimulatedSale(settings, random, line, clock, estimates)
  }

  constructor(
    settings: SaleSettings,
    random: () => number,
    line: Line,
    clock: { nowMs: number },
    estimates: Estimates,
  ) {
    this.#settings = settings
    this.#random = random
    this.#line = line
    this.#clock = clock
    this.#estimates = estimates
    this.#watch = new SaleWatch(estimates, STARTED_AT)
    this.#counts = { version: 0, stock: settings.seats ?? 0, heldSeats: 0 }
  }

  get #at(): RoomAt {
    return { room: 'sale', epoch: 1, seenSeq: 0 }
  }

  async run(): Promise<Answer[]> {
    const arrivals = arrivalsOf(this.#settings.crowd, this.#random)
    this.#live = arrivals.length
    for (const atMs of arrivals) this.#after(atMs, () => this.#arrive())
    for (const { atMs, ...change } of this.#settings.changes ?? []) {
      const operation = `change-${atMs}`
      this.#after(atMs, async () => void (await this.#line.change(this.#at, { operation, by: 'operator', ...change })))
    }
    const ticksMax = (HOURS_MAX * 3_600_000) / TICK_MS
    for (this.#tick = 0; this.#live > 0 && this.#tick < ticksMax; this.#tick += 1) {
      this.#clock.nowMs = STARTED_AT + this.#tick * TICK_MS
      for (const act of this.#due.get(this.#tick) ?? []) await act()
      this.#due.delete(this.#tick)
      if (this.#seen.length > 0) await this.#line.heartbeat(this.#at, this.#seen)
      this.#seen = []
      if (this.#tick % (1_000 / TICK_MS) === 0) await this.#line.sweep(this.#at, { batch: 1_000 })
      await this.#line.admit(this.#at, { batch: 1_000, operation: `tick-${this.#tick}` })
      await this.#follow()
      if (this.#tick % (1_000 / TICK_MS) === 0) this.#watch.counted(await this.#line.now(this.#at))
    }
    if (this.#live > 0) throw new Error(`${this.#live} visitors are still there after ${HOURS_MAX} hours`)
    return this.#watch.answers
  }

  #after(ms: number, act: () => Promise<void> | void): void {
    const tick = this.#tick + Math.max(1, Math.ceil(ms / TICK_MS))
    const others = this.#due.get(tick)
    if (others === undefined) this.#due.set(tick, [act])
    else others.push(act)
  }

  async #arrive(): Promise<void> {
    this.#joined += 1
    const identity = `visitor-${this.#joined}`
    const [reply] = await this.#line.join(this.#at, [{ identity, class: 0, profile: '{}' }])
    if (reply === undefined || !('state' in reply)) {
      this.#live -= 1
      return
    }
    const temper = temperOf(this.#settings.crowd, this.#clock.nowMs - STARTED_AT, this.#random)
    const { number, rank } = reply
    const visitor: SimulatedVisitor = {
      ...temper,
      number,
      identity,
      fence: 0,
      admittedAt: null,
      seats: 0,
      state: 'waiting',
    }
    this.#visitors.set(number, visitor)
    this.#tell(visitor, rank)
    if (temper.goesAfterMs === null) return
    this.#after(temper.goesAfterMs, async () => {
      if (visitor.state === 'waiting' && temper.saysGoodbye) await this.#end(visitor, 'cancelled')
    })
  }

  /** A visitor looks, until their patience ends. */
  async #look(visitor: SimulatedVisitor): Promise<void> {
    if (visitor.state !== 'waiting' || this.#isGone(visitor)) return
    const { number, identity } = visitor
    const [view] = await this.#line.look(this.#at, [{ number, identity, generation: 1, heartbeat: false }])
    this.#seen.push(number)
    this.#tell(visitor, view?.rank ?? null)
  }

  #tell(visitor: SimulatedVisitor, rank: number | null): void {
    if (rank !== null) this.#watch.tell(visitor, rank, this.#clock.nowMs)
    const afterMs = this.#watch.pollAfterMs(visitor.number, rank, this.#random())
    this.#after(afterMs, () => this.#look(visitor))
  }

  #isGone({ goesAfterMs, arrivedAt }: SimulatedVisitor): boolean {
    return goesAfterMs !== null && this.#clock.nowMs - STARTED_AT >= arrivedAt + goesAfterMs
  }

  async #end({ number, identity }: SimulatedVisitor, as: 'cancelled' | 'paid'): Promise<void> {
    await this.#line.end(this.#at, [{ number, identity, generation: 1, as, operation: `${as}-${number}` }])
  }

  /** Reads the log as a server does, and lets visitors react to it. */
  async #follow(): Promise<void> {
    const entries = await this.#line.readLog(this.#at, this.#seq, { limit: 100_000, waitMs: 0 })
    this.#estimates.follow(entries)
    for (const entry of entries) this.judge.follow(entry)
    this.#seq = entries.at(-1)?.seq ?? this.#seq
    await this.#line.trim(this.#at, this.#seq)
    for (const entry of entries) for (const number of numbersIn(entry.change)) await this.#react(number, entry)
  }

  async #react(number: number, { at, change }: LogEntry): Promise<void> {
    const visitor = this.#visitors.get(number)
    if (visitor === undefined) return
    if (change.kind === 'admitted') {
      visitor.state = 'floor'
      visitor.admittedAt = at
      visitor.fence = change.fence
      this.#watch.admitted(at)
      if (visitor.comes && !this.#isGone(visitor)) this.#after(visitor.noticesAfterMs, () => this.#enter(visitor))
    }
    if (change.kind !== 'completed' && change.kind !== 'expired') return
    if (visitor.state === 'floor') this.#watch.left(at - (visitor.admittedAt ?? at))
    visitor.state = 'over'
    this.#live -= 1
    await this.#seatsEnded(visitor, change.kind === 'completed')
  }

  async #enter(visitor: SimulatedVisitor): Promise<void> {
    if (visitor.state !== 'floor') return
    const { number, identity } = visitor
    await this.#line.enter(this.#at, [{ number, identity, generation: 1 }])
    this.#after(visitor.choosesAfterMs, () => this.#choose(visitor))
  }

  async #choose(visitor: SimulatedVisitor): Promise<void> {
    if (visitor.state !== 'floor') return
    if (visitor.leavesEmptyHanded) return await this.#end(visitor, 'cancelled')
    if (
      this.#settings.seats !== null &&
      !(await this.#reserve(visitor, visitor.wants)) &&
      !(await this.#reserve(visitor, 1))
    )
      return await this.#end(visitor, 'cancelled')
    if (visitor.pays) this.#after(visitor.paysAfterMs, () => this.#pay(visitor))
  }

  async #pay(visitor: SimulatedVisitor): Promise<void> {
    if (visitor.state === 'floor') await this.#end(visitor, 'paid')
  }

  async #reserve(visitor: SimulatedVisitor, quantity: number): Promise<boolean> {
    const { number, fence } = visitor
    this.#operations += 1
    const operation = `claim-${this.#operations}`
    const [reply] = await this.#line.take(this.#at, [{ number, fence, quantity, operation }])
    if (reply?.status !== 'taken' || this.#counts.stock < quantity) return false
    visitor.seats = quantity
    const { reservationSeconds } = { ...ROOM_DEFAULTS, ...this.#settings.room }
    const until = this.#clock.nowMs + reservationSeconds * 1_000
    await this.#settle(-quantity, quantity, [{ operation, number, reserved: { until, quantity } }])
    return true
  }

  /** Bought seats are gone; seats of a reservation that ended return. */
  async #seatsEnded(visitor: SimulatedVisitor, isDone: boolean): Promise<void> {
    if (visitor.seats === 0) return
    await this.#settle(isDone ? 0 : visitor.seats, -visitor.seats, [])
    visitor.seats = 0
  }

  async #settle(stock: number, held: number, results: Parameters<Line['settle']>[1]['results']): Promise<void> {
    this.#counts.version += 1
    this.#counts.stock += stock
    this.#counts.heldSeats += held
    await this.#line.settle(this.#at, { ...this.#counts, results })
  }
}
