import { deletePasskey, type Ledger } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { refuseWeakKeeper } from './refuse-weak-keeper.ts'

/** Deletes a passkey of the caller's; false when there is no such one. */
export async function removePasskey(services: { readonly ledger: Ledger }, actor: Actor, id: string): Promise<boolean> {
  await refuseWeakKeeper(services, actor)
  return await deletePasskey(services.ledger.db, actor.id, id)
}
