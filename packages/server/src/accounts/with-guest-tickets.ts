import { adoptTickets } from '../room/adopt-tickets.ts'
import type { Services } from '../services.ts'
import type { Session } from './account.ts'

/** Gives the account what the guest had who signs in to it (R4). A token that is no guest's changes nothing. */
export async function withGuestTickets(
  services: Services,
  session: Session,
  guestToken: string | undefined,
): Promise<Session> {
  const guest = guestToken === undefined ? null : services.identity.tokens.verify(guestToken)
  if (guest === null || guest.role !== 'guest') return session
  return { ...session, tickets: await adoptTickets(services, guest.id, session.user.id) }
}
