import { type Ledger, moveSandboxPayments } from '@seatwise/ledger'
import type { PageDeed, PageStandIn } from '@seatwise/testbench'
import type { PaymentProvider } from '../../../src/box-office/payments/provider.ts'
import { query } from '../../support/payment-time.ts'

export interface Book {
  readonly purchaseId: string
  readonly captured: number
  readonly refunded: number
}

/** Where buyers of a test pay: a provider, what buyers do there, and the provider's own books. */
export interface Counter {
  readonly provider: PaymentProvider
  /** The buyer of this purchase does at the provider what `method` says; nothing where our own page asks for it. */
  visit(purchaseId: string, method: string): void
  /** Buyers who are at their bank, or left the page open, say yes or no there. */
  decide(isApproved: boolean): Promise<void>
  /** Enough time passes for slow payments to end. */
  conclude(): void
  /** So much time passes that the provider itself closes what is open. */
  closePages(): void
  books(): Promise<Book[]>
}

export function sandboxCounter(provider: PaymentProvider, ledger: Ledger): Counter {
  const { db } = ledger
  return {
    provider,
    visit: () => undefined,
    async decide(isApproved) {
      const to = isApproved ? 'succeeded' : 'failed'
      const waiting = "select ref from sandbox_payments where status = 'requires_action'"
      const refs = await query<{ ref: string }>(db, waiting)
      for (const { ref } of refs) await moveSandboxPayments(ledger, [{ ref, from: ['requires_action'], to }])
    },
    conclude: () => undefined,
    closePages: () => undefined,
    books: () => query<Book>(db, 'select purchase_id as "purchaseId", captured, refunded from sandbox_payments'),
  }
}

/** The sandbox's methods, and what a buyer does on a provider's page instead; `sandbox_3ds` leaves it open. */
const DEEDS: Readonly<Record<string, PageDeed>> = {
  sandbox_ok: 'pay',
  sandbox_declined: 'decline',
  sandbox_slow: 'slow',
  'sandbox_slow:declined': 'slow',
}

export function pageCounter(provider: PaymentProvider, standIn: PageStandIn): Counter {
  const slow = new Map<string, boolean>()
  const open = new Set<string>()
  return {
    provider,
    visit(purchaseId, method) {
      const ref = standIn.refOf(purchaseId)
      const deed = DEEDS[method]
      open.add(ref)
      if (deed !== undefined) standIn.act(ref, deed)
      if (deed === 'slow') slow.set(ref, method === 'sandbox_slow')
    },
    async decide(isApproved) {
      for (const ref of open) standIn.act(ref, isApproved ? 'pay' : 'decline')
    },
    conclude() {
      for (const [ref, isPaid] of slow) standIn.finish(ref, isPaid)
      slow.clear()
    },
    closePages: () => standIn.closePages(),
    books: async () => standIn.books(),
  }
}
