import { endSaleSessions } from '@seatwise/ledger'
import { TOKEN_VALID_SECONDS_MAX } from '../../identity/index.ts'
import type { RoomServices } from '../room-services.ts'

/**
 * Ends the sessions of the devices that took a place over when the owner takes it back: on this server at once and on
 * all others within two seconds. Rules R33 and A50.
 */
export async function endHandedSessions(
  { ledger, identity }: Pick<RoomServices, 'ledger' | 'identity'>,
  place: { readonly roomId: string; readonly ownerId: string },
): Promise<void> {
  await endSaleSessions(ledger.db, { ...place, keptSeconds: TOKEN_VALID_SECONDS_MAX })
  await identity.ended.refresh()
}
