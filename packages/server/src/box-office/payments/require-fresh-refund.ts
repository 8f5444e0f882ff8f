import type { Purchase } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'

/**
 * Refunds of large purchases need a fresh sign-in. The whole purchase counts, not the seats that are refunded now: otherwise
 * many small refunds would do what one may not.
 */
export async function requireFreshRefund(
  { config, identity }: Pick<BoxOfficeServices, 'config' | 'identity'>,
  actor: Actor,
  { amount }: Pick<Purchase, 'amount'>,
): Promise<void> {
  if (amount > config.freshRefundOver) await identity.freshness.requireFresh(actor)
}
