import { type Drift, type Ledger, listDecidedPayments, type Purchase, type Reconciled } from '@seatwise/ledger'
import type { PaymentProvider } from '../../box-office/index.ts'

/** A server asks about the latest decided payments, again and again; the command about all, once. */
export const ASKED_MAX = 20
export const ASKED_BY_COMMAND_MAX = 10_000
const ASKED_AT_ONCE = 8

export interface ProviderComparison {
  readonly eventId: string
  readonly max: number
  /** Concludes a payment that received money after all; null only reports it. */
  readonly conclude: ((purchaseId: string) => Promise<unknown>) | null
}

/**
 * Asks the provider about payments that are decided here. Money for a declined payment is concluded, as a sale or a
 * refund; missing money needs an operator.
 */
export async function compareProvider(
  provider: PaymentProvider,
  db: Ledger['db'],
  { eventId, max, conclude }: ProviderComparison,
): Promise<Reconciled> {
  const purchases = await listDecidedPayments(db, { eventId, provider: provider.name, max })
  const repaired: Drift[] = []
  const left: Drift[] = []
  for (let from = 0; from < purchases.length; from += ASKED_AT_ONCE) {
    const some = purchases.slice(from, from + ASKED_AT_ONCE)
    const found = (await Promise.all(some.map((purchase) => askAbout(provider, purchase)))).flat()
    for (const drift of found) {
      const canConclude = conclude !== null && drift.details.status === 'DECLINED'
      if (canConclude) await conclude(drift.subject)
      ;(canConclude ? repaired : left).push(drift)
    }
  }
  return { repaired, left }
}

async function askAbout(provider: PaymentProvider, purchase: Purchase): Promise<Drift[]> {
  const { id, status, captured, refunded, providerRef } = purchase
  if (providerRef === null) return []
  const state = await provider.status(providerRef)
  const ours = captured - refunded
  const theirs = state.status === 'captured' ? state.amount - (await provider.refunded(providerRef)) : 0
  if (theirs === ours) return []
  return [{ kind: 'provider', subject: id, details: { status, ours, theirs } }]
}
