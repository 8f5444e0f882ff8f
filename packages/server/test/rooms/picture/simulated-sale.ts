import { ROOM_DEFAULTS, type RoomSettings } from '@seatwise/domain'
import { type Line, NO_PLACE, openMemoryLine, type RoomAt, type RoomNow } from '@seatwise/line'
import { Estimates } from '../../../src/rooms/picture/estimates.ts'

/*
 * A sale in virtual time on the real line in memory. Visitors arrive in a rush and then in a trickle, leave, vanish, are
 * let in, take their time and finish. Nothing here waits, and one seed gives one sale.
 */

const TICK_MS = 250
const POLL_MS = 30_000

export interface SaleSettings {
  readonly visitors: number
  /** The share of visitors who leave, and of those who vanish without leaving. */
  readonly leaving: number
  readonly vanishing: number
  /** The rush takes so long, and the trickle after it. */
  readonly rushMs: number
  readonly trickleMs: number
  readonly meanServiceMs: number
  /** Some may take much longer. */
  readonly slow?: { readonly share: number; readonly meanServiceMs: number }
  readonly room: Partial<RoomSettings>
  /** Changes by the operator, by the time at which they are made. */
  readonly changes: readonly { atMs: number; settings: Partial<RoomSettings> }[]
}

export interface SimulatedVisitor {
  readonly number: number
  readonly identity: string
  /** When they leave or vanish, unless it is their turn before. */
  readonly goesAt: number
  readonly how: 'stays' | 'leaves' | 'vanishes'
  nextPollAt: number
  admittedAt: number | null
  finishesAt: number | null
  state: 'waiting' | 'floor' | 'over'
}

/** What can be seen of the sale at an instant, by those who estimate. */
export interface Instant {
  readonly nowMs: number
  readonly now: RoomNow
  readonly estimates: Estimates
  /** Admissions a second over the last 10 s, minute, 5 minutes and 15 minutes, whatever happened in between. */
  readonly rates: readonly [number, number, number, number]
  readonly waiting: readonly SimulatedVisitor[]
  rankOf(visitor: SimulatedVisitor): Promise<number | null>
}

/** Runs the sale to its end; `observe` is called once a virtual second. */
export async function runSale(
  settings: SaleSettings,
  random: () => number,
  observe: (instant: Instant) => Promise<void>,
): Promise<SimulatedVisitor[]> {
  const sale = await SimulatedSale.open(settings, random)
  await sale.run(observe)
  return sale.visitors
}

class SimulatedSale {
  readonly visitors: SimulatedVisitor[] = []
  readonly #settings: SaleSettings
  readonly #random: () => number
  readonly #line: Line
  readonly #clock: { nowMs: number }
  readonly #estimates: Estimates
  readonly #arrivals: number[]
  readonly #admittedAt: number[] = []
  readonly #byNumber = new Map<number, SimulatedVisitor>()
  #seq = 0

  static async open(settings: SaleSettings, random: () => number): Promise<SimulatedSale> {
    const clock = { nowMs: 1_800_000_000_000 }
    const line = openMemoryLine({ clock: () => clock.nowMs })
    await line.beginLoad('sale', 1, {
      settings: { ...ROOM_DEFAULTS, ...settings.room },
      ...{ paused: false, message: null, opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER },
      ...{ stock: null, heldSeats: 0, stockVersion: 0, nextNumber: 1, marks: {} },
      lastPlaces: [0, NO_PLACE, NO_PLACE, NO_PLACE],
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
    const { visitors, rushMs, trickleMs } = settings
    const arrival = (): number => (random() < 0.7 ? random() * rushMs : rushMs + random() * trickleMs)
    this.#arrivals = Array.from({ length: visitors }, () => clock.nowMs + arrival()).sort((one, other) => one - other)
  }

  get #at(): RoomAt {
    return { room: 'sale', epoch: 1, seenSeq: 0 }
  }

  async run(observe: (instant: Instant) => Promise<void>): Promise<void> {
    const startedAt = this.#clock.nowMs
    const changes = [...this.#settings.changes]
    for (let tick = 0; this.#arrivals.length > 0 || this.visitors.some(({ state }) => state !== 'over'); tick++) {
      this.#clock.nowMs = startedAt + tick * TICK_MS
      const change = changes[0]
      if (change !== undefined && this.#clock.nowMs >= startedAt + change.atMs) {
        changes.shift()
        const operation = `change-${change.atMs}`
        await this.#line.change(this.#at, { operation, by: 'operator', settings: change.settings })
      }
      await this.#arrive()
      await this.#act()
      await this.#line.admit(this.#at, { batch: 1_000, operation: `tick-${tick}` })
      await this.#follow()
      if (tick % (1_000 / TICK_MS) === 0) await this.#second(observe)
    }
  }

  async #arrive(): Promise<void> {
    const now = this.#clock.nowMs
    const identities: string[] = []
    while ((this.#arrivals[0] ?? Number.POSITIVE_INFINITY) <= now) {
      this.#arrivals.shift()
      identities.push(`visitor-${this.visitors.length + identities.length}`)
    }
    if (identities.length === 0) return
    const replies = await this.#line.join(
      this.#at,
      identities.map((identity) => ({ identity, class: 0, profile: '{}' })),
    )
    for (const [index, reply] of replies.entries()) {
      if (!('state' in reply)) throw new Error(`Could not join: ${reply.status}`)
      this.#welcome(reply.number, identities[index] ?? '')
    }
  }

  #welcome(number: number, identity: string): void {
    const { leaving, vanishing } = this.#settings
    const fate = this.#random()
    const how = fate < leaving ? 'leaves' : fate < leaving + vanishing ? 'vanishes' : 'stays'
    const now = this.#clock.nowMs
    const goesAt = how === 'stays' ? Number.POSITIVE_INFINITY : now + this.#exponential(300_000)
    const nextPollAt = now + this.#random() * POLL_MS
    const visitor: SimulatedVisitor = {
      ...{ number, identity, goesAt, how, nextPollAt, admittedAt: null, finishesAt: null, state: 'waiting' },
    }
    this.visitors.push(visitor)
    this.#byNumber.set(number, visitor)
  }

  /** The visitors who poll, leave or finish now. */
  async #act(): Promise<void> {
    const now = this.#clock.nowMs
    const polling: number[] = []
    for (const visitor of this.visitors) {
      if (visitor.state === 'over') continue
      const isGone = now >= visitor.goesAt
      if (visitor.state === 'waiting' && isGone && visitor.how === 'leaves') await this.#end(visitor, 'cancelled')
      else if (visitor.state === 'waiting' && !isGone && now >= visitor.nextPollAt) {
        polling.push(visitor.number)
        visitor.nextPollAt = now + POLL_MS * (0.8 + 0.4 * this.#random())
      } else if (visitor.finishesAt !== null && now >= visitor.finishesAt) await this.#end(visitor, 'completed')
    }
    if (polling.length > 0) await this.#line.heartbeat(this.#at, polling)
  }

  async #end({ number, identity }: SimulatedVisitor, as: 'cancelled' | 'completed'): Promise<void> {
    await this.#line.end(this.#at, [{ number, identity, generation: 1, as, operation: `${as}-${number}` }])
  }

  /** Reads the log as a server does, and lets visitors react to it. */
  async #follow(): Promise<void> {
    const entries = await this.#line.readLog(this.#at, this.#seq, { limit: 100_000, waitMs: 0 })
    this.#estimates.follow(entries)
    this.#seq = entries.at(-1)?.seq ?? this.#seq
    await this.#line.trim(this.#at, this.#seq)
    for (const { at, change } of entries) {
      const visitor = 'number' in change ? this.#byNumber.get(change.number) : undefined
      if (visitor === undefined) continue
      if (change.kind === 'admitted') {
        visitor.state = 'floor'
        visitor.admittedAt = at
        this.#admittedAt.push(at)
        visitor.finishesAt = at + this.#serviceMs()
      }
      if (change.kind === 'completed' || change.kind === 'expired') visitor.state = 'over'
    }
  }

  async #second(observe: (instant: Instant) => Promise<void>): Promise<void> {
    const nowMs = this.#clock.nowMs
    const now = await this.#line.now(this.#at)
    this.#estimates.counted(now)
    const rate = (seconds: number): number => {
      const span = Math.min(seconds, Math.max(1, (nowMs - 1_800_000_000_000) / 1000))
      let count = 0
      for (let index = this.#admittedAt.length - 1; index >= 0; index--) {
        if ((this.#admittedAt[index] ?? 0) < nowMs - span * 1000) break
        count++
      }
      return count / span
    }
    await observe({
      ...{ nowMs, now, estimates: this.#estimates, rates: [rate(10), rate(60), rate(300), rate(900)] },
      waiting: this.visitors.filter(({ state, goesAt }) => state === 'waiting' && goesAt > nowMs),
      rankOf: async ({ number, identity }) => {
        const [view] = await this.#line.look(this.#at, [{ number, identity, generation: 1, heartbeat: false }])
        return view?.rank ?? null
      },
    })
  }

  #serviceMs(): number {
    const { meanServiceMs, slow } = this.#settings
    const mean = slow !== undefined && this.#random() < slow.share ? slow.meanServiceMs : meanServiceMs
    return this.#exponential(mean / 2) + mean / 2
  }

  #exponential(mean: number): number {
    return -Math.log(1 - this.#random()) * mean
  }
}
