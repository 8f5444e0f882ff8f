/** What kind of crowd comes, in the terms of `seatwise rehearse`. */
export interface CrowdSettings {
  readonly visitors: number
  readonly arrivals: 'spike' | 'ramp' | 'steady'
  readonly arrivingMs: number
  /** The share of visitors who go away, half of them without saying so, and after how long on average. */
  readonly churn: number
  readonly patienceMs: number
  /** How long a visitor thinks before each step on the floor, on average. */
  readonly thinkMs: number
  /** The share who take most of the time that their reservation gives them. */
  readonly slowPayers: number
  readonly reservationMs: number
}

/** What one visitor will do. */
export interface Temper {
  readonly arrivedAt: number
  /** After so long the visitor goes away, if the turn has not come before; null for those who stay. */
  readonly goesAfterMs: number | null
  readonly saysGoodbye: boolean
  /** Whether the visitor comes when called, and how soon. */
  readonly comes: boolean
  readonly noticesAfterMs: number
  readonly choosesAfterMs: number
  readonly leavesEmptyHanded: boolean
  readonly wants: number
  readonly pays: boolean
  readonly paysAfterMs: number
}

const SHAPES = {
  spike: (share: number): number => (share < 0.7 ? (share / 0.7) * 0.1 : 0.1 + ((share - 0.7) / 0.3) * 0.9),
  ramp: (share: number): number => Math.sqrt(share),
  steady: (share: number): number => share,
} as const

/** A visitor who is called hears it at the next poll. */
const POLL_MS = 2_000
const TWO_SEATS_SHARE = 0.3

/** When each visitor arrives, in milliseconds from the start, earliest first. */
export function arrivalsOf({ visitors, arrivals, arrivingMs }: CrowdSettings, random: () => number): number[] {
  const times = Array.from({ length: visitors }, () => SHAPES[arrivals](random()) * arrivingMs)
  return times.sort((one, other) => one - other)
}

export function temperOf(crowd: CrowdSettings, arrivedAt: number, random: () => number): Temper {
  const goes = random() < crowd.churn
  const farewell = goes ? Math.floor(random() * 5) : -1
  const think = (): number => Math.min(exponential(random, crowd.thinkMs), crowd.thinkMs * 4)
  const isSlow = random() < crowd.slowPayers
  return {
    arrivedAt,
    goesAfterMs: goes ? exponential(random, crowd.patienceMs) : null,
    saysGoodbye: random() < 0.5,
    comes: farewell !== 2,
    noticesAfterMs: random() * POLL_MS,
    choosesAfterMs: think(),
    leavesEmptyHanded: farewell === 0 || farewell === 1,
    wants: random() < TWO_SEATS_SHARE ? 2 : 1,
    pays: farewell < 3,
    paysAfterMs: isSlow ? crowd.reservationMs * (0.4 + 0.4 * random()) : think(),
  }
}

function exponential(random: () => number, mean: number): number {
  return -Math.log(1 - random()) * mean
}

/** Small, fast, and the same everywhere (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
