import { SeatwiseError } from '@seatwise/domain'
import { revokeApiKey } from '@seatwise/ledger'
import { isUuid } from '../../kit/index.ts'
import type { IdentityServices } from '../identity.ts'

/** Revokes a key: it is refused at once here, and within two seconds everywhere. */
export async function revokeKey(
  { ledger, identity }: Pick<IdentityServices, 'ledger' | 'identity'>,
  { organizationId, id, by }: { readonly organizationId: string; readonly id: string; readonly by: string },
): Promise<void> {
  const isGone = isUuid(id) && (await revokeApiKey(ledger.db, { organizationId, id: id.toLowerCase(), by }))
  if (!isGone) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such key' })
  await identity.teams.refresh()
}
