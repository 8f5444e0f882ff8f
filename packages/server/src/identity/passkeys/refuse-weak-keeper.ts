import { SeatwiseError } from '@seatwise/domain'
import { countRecoveryCodes, type Ledger, listPasskeys } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'

/**
 * Where the house asks for passkeys, a session that has shown none makes only the first: otherwise a stolen password would
 * make one of its own. Throws STRONG_SIGN_IN_NEEDED.
 */
export async function refuseWeakKeeper({ ledger: { db } }: { readonly ledger: Ledger }, actor: Actor): Promise<void> {
  if (actor.isWeak !== true) return
  const [passkeys, codes] = await Promise.all([listPasskeys(db, actor.id), countRecoveryCodes(db, actor.id)])
  if (passkeys.length + codes > 0) throw new SeatwiseError('STRONG_SIGN_IN_NEEDED')
}
