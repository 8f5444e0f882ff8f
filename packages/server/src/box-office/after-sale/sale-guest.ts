import { readRoom } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { IssuedToken } from '../../identity/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'

/**
 * The access token of one who accepts by a link: their own again if they sent one, else that of a guest who may act in this
 * sale only. The link is all that such a guest has proven.
 */
export async function tokenFor(
  { ledger, identity }: Pick<BoxOfficeServices, 'ledger' | 'identity'>,
  actor: Actor | null,
  { guestId, eventId }: { readonly guestId: string; readonly eventId: string },
): Promise<IssuedToken> {
  if (actor !== null) return identity.tokens.issue(actor)
  const room = await readRoom(ledger.db, { eventId })
  if (room === null) throw new Error(`The event ${eventId} has no room`)
  const sale = { roomId: room.id, eventId }
  return identity.tokens.issue({ id: guestId, role: 'guest', name: null, avatar: null, sale })
}
