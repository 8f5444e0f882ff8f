import { randomUUID } from 'node:crypto'
import type { ProviderTrouble } from '@seatwise/testbench'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {
  PaymentOrder,
  PaymentProvider,
  PaymentState,
  RefundRequest,
  WebhookHeaders,
} from '../../../src/box-office/payments/provider.ts'
import type { Book } from './counters.ts'

/** What a buyer does at the provider. `leave`: goes away while the provider or the bank waits for them. */
export type BuyerDeed = 'pay' | 'decline' | 'slow-paid' | 'slow-declined' | 'leave'

/** A provider with everything around it that the contract needs. */
export interface ProviderBench {
  readonly provider: PaymentProvider
  buyer(ref: string, deed: BuyerDeed): Promise<void>
  /** Slow payments end. */
  conclude(): Promise<void>
  /** What the provider itself says it has taken and sent back. */
  books(): Promise<readonly Book[]>
  /** A webhook about this payment, as the provider sends it. */
  webhook(ref: string): Promise<{ readonly body: string; readonly headers: WebhookHeaders }>
  /** How the next requests fail; null for a provider that no network is between. */
  readonly troubles: ProviderTrouble[] | null
  /** Whether an open payment can be ended by us. */
  readonly closesPages: boolean
  close(): Promise<void>
}

export const orderOf = (change: Partial<PaymentOrder> = {}): PaymentOrder => ({
  purchaseId: randomUUID(),
  reservationId: randomUUID(),
  amount: 9_000,
  currency: 'EUR',
  description: 'Aurora Live',
  lines: [{ name: 'Stalls', quantity: 2, unitPrice: 4_500 }],
  email: 'ada@example.com',
  language: 'en',
  orderedAt: new Date().toISOString(),
  ...change,
})

/** A refund that was never asked for before. */
const refundOf = (amount: number, currency = 'EUR'): RefundRequest => ({
  refundId: randomUUID(),
  amount,
  currency,
})

/** What every payment provider has to do. docs/payments.md says how to run it for a new one. */
export function providerContract(name: string, open: () => Promise<ProviderBench>): void {
  describe(`a payment provider: ${name}`, () => {
    let bench: ProviderBench
    beforeAll(async () => {
      bench = await open()
    })
    afterAll(() => bench.close())
    beforeEach(() => void bench.troubles?.splice(0))

    const prepare = async (order = orderOf()): Promise<string> => {
      const { provider } = bench
      return provider.kind === 'page' ? (await provider.prepare(order)).ref : await provider.prepare(order)
    }
    const bookOf = async ({ purchaseId }: PaymentOrder) => {
      const found = (await bench.books()).filter((book) => book.purchaseId === purchaseId)
      return found.map(({ captured, refunded }) => ({ captured, refunded }))
    }
    const paid = async (order = orderOf()): Promise<string> => {
      const ref = await prepare(order)
      await bench.buyer(ref, 'pay')
      return ref
    }
    const CAPTURED: PaymentState = { status: 'captured', amount: 9_000 }
    /** Undecided, and the buyer can still pay: on the provider's page, or with a method on ours. */
    const OPEN = expect.stringMatching(/^(unpaid|requires_action)$/)

    it('[B73] preparing opens one payment for each purchase and moves no money', async () => {
      const order = orderOf()
      const ref = await prepare(order)
      expect(await prepare(order)).toBe(ref)
      expect(await bench.provider.status(ref)).toMatchObject({ status: OPEN })
      expect(await bookOf(order)).toEqual([{ captured: 0, refunded: 0 }])
      expect(await prepare()).not.toBe(ref)
    })

    it('[B73] a payment is captured in full, in the minor units of its currency', async () => {
      for (const currency of ['EUR', 'JPY', 'ISK']) {
        const ref = await paid(orderOf({ currency }))
        expect(await bench.provider.status(ref), currency).toEqual(CAPTURED)
      }
      const order = orderOf()
      await paid(order)
      expect(await bookOf(order)).toEqual([{ captured: 9_000, refunded: 0 }])
    })

    it('[B73] a bad card and a buyer who leaves take no money, and what is canceled cannot be paid', async () => {
      for (const deed of ['decline', 'leave'] as const) {
        const order = orderOf()
        const ref = await prepare(order)
        await bench.buyer(ref, deed)
        const state = await bench.provider.cancel(ref)
        const isOver = bench.closesPages || deed === 'decline'
        expect(state.status, deed).toBe(isOver ? 'declined' : 'requires_action')
        await bench.buyer(ref, 'pay')
        expect(await bookOf(order), deed).toEqual([{ captured: isOver ? 0 : 9_000, refunded: 0 }])
      }
    })

    it('[B73] canceling twice says the same, and canceling too late says that the money came', async () => {
      const unpaid = await prepare()
      const first = await bench.provider.cancel(unpaid)
      expect(await bench.provider.cancel(unpaid)).toEqual(first)
      expect(await bench.provider.cancel(await paid())).toEqual(CAPTURED)
    })

    it('[B73] a slow payment is pending until it is decided', async () => {
      const [good, bad] = [await prepare(), await prepare()]
      await bench.buyer(good, 'slow-paid')
      await bench.buyer(bad, 'slow-declined')
      expect(await bench.provider.status(good)).toEqual({ status: 'pending' })
      expect(await bench.provider.cancel(bad)).toEqual({ status: 'pending' })
      await bench.conclude()
      expect(await bench.provider.status(good)).toEqual(CAPTURED)
      expect(await bench.provider.status(bad)).toMatchObject({ status: 'declined' })
    })

    it('[B73] a refund sends everything back, once', async () => {
      const order = orderOf()
      const ref = await paid(order)
      const all = refundOf(9_000)
      expect(await bench.provider.refund(ref, all)).toBe('refunded')
      expect(await bench.provider.refund(ref, all)).toBe('refunded')
      expect(await bookOf(order)).toEqual([{ captured: 9_000, refunded: 9_000 }])
      expect(await bench.provider.refunded(ref)).toBe(9_000)
      expect(await bench.provider.refund(await prepare(), refundOf(9_000))).toBe('refused')
    })

    it('[B132] refunds of parts add up to the cent, each once, and never to more than was captured', async () => {
      for (const currency of ['EUR', 'JPY', 'ISK']) {
        const order = orderOf({ currency })
        const ref = await paid(order)
        const parts = [1, 2_999, 4_500].map((amount) => refundOf(amount, currency))
        for (const part of [...parts, ...parts.toReversed()]) {
          expect(await bench.provider.refund(ref, part), currency).toBe('refunded')
        }
        expect(await bench.provider.refunded(ref), currency).toBe(7_500)
        expect(await bench.provider.refund(ref, refundOf(1_501, currency)), currency).toBe('refused')
        expect(await bench.provider.refund(ref, refundOf(1_500, currency)), currency).toBe('refunded')
        expect(await bench.provider.refunded(ref), currency).toBe(9_000)
        expect(await bench.provider.status(ref), currency).toEqual(CAPTURED)
      }
    })

    it('[B73] the same webhook, however often, names the same payment; what is not about one is no error', async () => {
      const ref = await paid()
      const { body, headers } = await bench.webhook(ref)
      const read = (text: string) => bench.provider.readWebhook(Buffer.from(text), headers)
      expect(read(body)).toEqual({ ref })
      expect(read(body)).toEqual({ ref })
      for (const odd of ['', '{}', 'id=', 'id=../../x', '\u0000', body.slice(1)]) {
        expect([null, 'none'], JSON.stringify(odd)).toContain(read(odd))
      }
    })

    it('[B73] an unknown reference is an error, not a decline', async () => {
      const unknown = (await prepare()).replace(/\w{8}$/, '00000000')
      await expect(bench.provider.status(unknown)).rejects.toThrow()
    })

    describe('over a network that loses answers', () => {
      it('[B73] what is sent again has no second effect', async () => {
        if (bench.troubles === null) return await expectAlwaysThere()
        const order = orderOf()
        await failing(() => prepare(order), ['after', 'after'])
        const ref = await paid(order)
        // A refund looks twice before it sends.
        for (const part of [refundOf(3_001), refundOf(5_999)]) {
          await failing(() => bench.provider.refund(ref, part), ['none', 'none', 'after', 'after'])
          expect(await bench.provider.refund(ref, part)).toBe('refunded')
        }
        expect(await bookOf(order)).toEqual([{ captured: 9_000, refunded: 9_000 }])
      })

      it('[B73] no call pretends to know the answer of a provider that is away', async () => {
        if (bench.troubles === null) return await expectAlwaysThere()
        const [unpaid, captured] = [await prepare(), await paid()]
        const calls = [
          () => prepare(),
          () => bench.provider.status(captured),
          () => bench.provider.cancel(unpaid),
          () => bench.provider.refund(captured, refundOf(9_000)),
          () => bench.provider.refunded(captured),
        ]
        for (const call of calls) await failing(call, ['before', 'before'])
        expect(await bench.provider.status(captured)).toEqual(CAPTURED)
      })

      /** An SDK may try twice by itself. */
      async function failing(call: () => Promise<unknown>, troubles: readonly ProviderTrouble[]): Promise<void> {
        bench.troubles?.push(...troubles)
        await expect(call()).rejects.toThrow()
        bench.troubles?.splice(0)
      }

      /** The sandbox's books are in our ledger: what fails there fails as a whole. */
      async function expectAlwaysThere(): Promise<void> {
        expect(bench.provider.name).toBe('sandbox')
      }
    })
  })
}
