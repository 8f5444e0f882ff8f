import type { Ledger } from '@seatwise/ledger'
import { deriveKeys } from './derive-key.ts'

/** Whether these secrets open the keys that this ledger signs with. One that has none yet takes any. */
export async function knowsSecretOf(ledger: Ledger, secrets: readonly Buffer[]): Promise<boolean> {
  const ids = new Set(deriveKeys(secrets, 'signing-key-seal').map(({ id }) => id))
  const keys = await ledger.db
    .selectFrom('signing_keys')
    .select('sealed_with')
    .where('sealed_private_key', 'is not', null)
    .where('signs_until', '>', new Date())
    .execute()
  return keys.every(({ sealed_with }) => sealed_with !== null && ids.has(sealed_with))
}
