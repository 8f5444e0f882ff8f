import { isOutsideAccount } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'

/** Whether the caller's account is linked to a person of the house's provider, who can confirm there. */
export async function signsInByProvider(
  { identity, ledger }: Pick<IdentityServices, 'identity' | 'ledger'>,
  { id }: Actor,
): Promise<boolean> {
  return identity.provider !== null && (await isOutsideAccount(ledger.db, id))
}
