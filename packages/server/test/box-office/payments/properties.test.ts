import type { Ledger } from '@seatwise/ledger'
import { forEachLedger, suiteSeed } from '@seatwise/testbench'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { openMollie, openStripe } from '../../support/stand-ins.ts'
import { type Counter, pageCounter } from './counters.ts'
import { PaymentWorld, type Trouble } from './payment-world.ts'

/** Every run of the tests has other seeds, so that many short runs see as much as a long one. */
const RUNS = process.env.SEATWISE_LONG === '1' ? 200 : 40
/** Each call of a provider with a page of its own passes a network. */
const PAGE_RUNS = RUNS / 4

type Step =
  | { readonly do: 'reserve'; readonly who: number; readonly seats: readonly number[] }
  | { readonly do: 'pay'; readonly who: number; readonly method: string }
  | { readonly do: 'refund' | 'cancel' | 'expire'; readonly who: number }
  | { readonly do: 'decide'; readonly isApproved: boolean }
  | { readonly do: 'hear' | 'watch' }
  | { readonly do: 'wait'; readonly seconds: number }

const who = fc.nat(2)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      who,
      seats: fc.array(fc.nat(1), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      who,
      method: fc.constantFrom('sandbox_slow', 'sandbox_ok', 'sandbox_3ds', 'sandbox_declined', 'sandbox_slow:declined'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('refund', 'cancel', 'expire', 'expire'), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('decide' as const), isApproved: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('hear', 'watch') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 4, 20) }) },
)

/** Steps in one group happen at once. */
interface Schedule {
  readonly rounds: readonly (readonly Step[])[]
  readonly trouble: readonly Trouble[]
}

const schedule: fc.Arbitrary<Schedule> = fc.record({
  rounds: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 8 }),
  trouble: fc.array(fc.constantFrom<Trouble>('none', 'none', 'none', 'before', 'after'), { maxLength: 20 }),
})

/** Played first: every end that a payment can have, so that none of them is left to luck. */
const EVERY_END: readonly Schedule[] = [
  { rounds: [[{ do: 'pay', who: 0, method: 'sandbox_ok' }]], trouble: [] },
  { rounds: [[{ do: 'pay', who: 0, method: 'sandbox_declined' }]], trouble: [] },
  {
    rounds: [[{ do: 'pay', who: 0, method: 'sandbox_ok' }], [{ do: 'hear' }], [{ do: 'refund', who: 0 }]],
    trouble: [],
  },
  {
    rounds: [
      [{ do: 'pay', who: 0, method: 'sandbox_slow' }],
      [{ do: 'expire', who: 0 }],
      [{ do: 'reserve', who: 2, seats: [0] }],
      [{ do: 'pay', who: 2, method: 'sandbox_ok' }],
    ],
    trouble: [],
  },
]

const PROVIDERS = [
  { name: 'Stripe', openProvider: openStripe },
  { name: 'Mollie', openProvider: openMollie },
] as const
/** Each ledger meets one provider with a page of its own: providers know nothing of ledgers. */
let turn = 0

forEachLedger('every schedule of payments', (open) => {
  const ofThisLedger = PROVIDERS.filter((_provider, index) => index === turn % PROVIDERS.length)
  turn += 1
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it(
    '[B28] [I9] [I10] each capture ends as one purchase or one full refund, whatever happens when',
    {
      timeout: 240_000,
    },
    () => expectAccount(RUNS),
  )

  it.each(ofThisLedger)(
    '[B28] [B73] [I9] [I10] the same on the page of $name: its books and ours agree',
    {
      timeout: 240_000,
    },
    async ({ openProvider }) => {
      const { provider, standIn, close } = await openProvider()
      await expectAccount(PAGE_RUNS, () => pageCounter(provider, standIn))
      await close()
    },
  )

  async function expectAccount(numRuns: number, openCounter?: () => Counter): Promise<void> {
    const ends = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(schedule, async ({ rounds, trouble }) => {
        const counter = openCounter === undefined ? {} : { counter: openCounter() }
        const world = await PaymentWorld.open(ledger, 2, 3, counter)
        await Promise.all([world.reserve(0, [0]), world.reserve(1, [1])])
        world.trouble = [...trouble]
        for (const round of rounds) await Promise.all(round.map((one) => perform(world, one)))
        await world.calmDown()
        expect(await world.account()).toEqual([])
        for (const { status } of await world.purchases()) ends.set(status, (ends.get(status) ?? 0) + 1)
      }),
      { numRuns, seed: suiteSeed(), examples: EVERY_END.map((example): [Schedule] => [example]) },
    )
    // A run in which nothing interesting happened proves nothing.
    expect([...ends.keys()].sort()).toEqual(['DECLINED', 'PAID', 'REFUNDED'])
  }

  it('[B28 control] a provider that forgets a refund is detected', async () => {
    const world = await PaymentWorld.open(ledger, 1, 2)
    const forgetful = { ...world.payments.provider, refund: async () => 'refunded' as const }
    Object.assign(world.payments, { provider: forgetful })
    await world.reserve(0, [0])
    await world.pay(0, 'sandbox_slow')
    await world.expireHolds()
    await world.reserve(1, [0])
    await world.pay(1, 'sandbox_ok')
    await world.calmDown()
    expect(await world.account()).toEqual(['REFUNDED 9000/9000, books 9000/0'])
  })
})

async function perform(world: PaymentWorld, one: Step): Promise<unknown> {
  switch (one.do) {
    case 'reserve':
      return await world.reserve(one.who, one.seats)
    case 'pay':
      return await world.pay(one.who, one.method)
    case 'refund':
      return await world.refund(one.who)
    case 'cancel':
      return await world.cancel(one.who)
    case 'expire':
      return await world.expireHolds(one.who)
    case 'decide':
      return await world.decide(one.isApproved)
    case 'hear':
      return await world.hear()
    case 'watch':
      return await world.watch()
    case 'wait':
      return await world.wait(one.seconds)
  }
}
