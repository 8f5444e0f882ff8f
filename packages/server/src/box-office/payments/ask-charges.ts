import { noteCharge, takeUnknownCharges } from '@seatwise/ledger'
import type { Payments } from './payments.ts'

/** The rest waits for the next round. */
const ROUND_MAX = 20

/** Asks the provider what it keeps of payments, for settlements. Nothing else depends on it. */
export async function askCharges({
  ledger,
  provider,
  log,
}: Pick<Payments, 'ledger' | 'provider' | 'log'>): Promise<void> {
  if (provider.charge === undefined) return
  for (const { purchaseId, ref } of await takeUnknownCharges(ledger.db, provider.name, ROUND_MAX)) {
    try {
      const charge = await provider.charge(ref)
      if (charge !== null) await noteCharge(ledger.db, purchaseId, charge)
    } catch (err) {
      log.warn({ err, purchaseId }, 'the charge for a payment could not be read, retrying later')
    }
  }
}
