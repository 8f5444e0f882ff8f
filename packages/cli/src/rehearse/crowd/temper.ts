import { exponential, seededRandom } from './seeded-random.ts'

/** What kind of crowd comes: shares from 0 to 1, and times. */
export interface Crowd {
  /** Go away before they have bought anything. */
  readonly churn: number
  /** Take most of the time that their reservation gives them. */
  readonly slowPayers: number
  /** Have the page open twice. */
  readonly tabs: number
  /** Join again and again, ask more often than they are told to, and try to buy without having waited. */
  readonly bots: number
  /** How long people think before each step on the floor, on average. */
  readonly thinkMs: number
  /** How long those who go away stay in line, on average. */
  readonly patienceMs: number
}

/** What a visitor who will leave does when the turn comes first. */
type Farewell = 'leaves' | 'does not come' | 'reserves and leaves' | 'reserves and vanishes'

export interface Temper {
  readonly random: () => number
  /** Null for those who stay. */
  readonly churn: { readonly patienceMs: number; readonly saysGoodbye: boolean; readonly farewell: Farewell } | null
  readonly isSlowPayer: boolean
  readonly hasTwoTabs: boolean
  readonly isBot: boolean
  readonly declinedFirst: boolean
  readonly quantity: number
}

const DECLINED_SHARE = 0.02
const TWO_SEATS_SHARE = 0.3
const FAREWELLS: readonly Farewell[] = [
  'leaves',
  'leaves',
  'does not come',
  'reserves and leaves',
  'reserves and vanishes',
]

/** Who a visitor is depends on the seed and their number alone, so that the same crowd can come again. */
export function temperOf(crowd: Crowd, seed: number, index: number): Temper {
  const random = seededRandom(seed, index + 16)
  const is = (share: number): boolean => random() < share
  const goes = is(crowd.churn)
  const [isSlowPayer, hasTwoTabs, isBot] = [is(crowd.slowPayers), is(crowd.tabs), is(crowd.bots)]
  const [declinedFirst, wantsTwo] = [is(DECLINED_SHARE), is(TWO_SEATS_SHARE)]
  const farewell = FAREWELLS[Math.floor(random() * FAREWELLS.length)] ?? 'leaves'
  const churn = goes
    ? { patienceMs: exponential(random, crowd.patienceMs), saysGoodbye: random() < 0.5, farewell }
    : null
  return { random, churn, isSlowPayer, hasTwoTabs, isBot, declinedFirst, quantity: wantsTwo ? 2 : 1 }
}
