import {
  type Adopted,
  adoptGuest as adoptInLedger,
  inTransaction,
  type Ledger,
  readReservations,
} from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { type Adoption, type Brought, TOKEN_VALID_SECONDS_MAX } from '../../identity/index.ts'
import { adoptTickets } from '../../rooms/index.ts'
import { type ShownReservation, showReservation } from '../../wire/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { lossesOf } from '../reservations/tell-line.ts'

type AdoptionParts = Pick<
  BoxOfficeServices,
  'ledger' | 'identity' | 'rooms' | 'roomTokens' | 'boxOffice' | 'log' | 'now'
>

/** The box office's part of signing in. */
export function createAdoption(parts: AdoptionParts): Adoption {
  return { withGuest: (guestToken, account) => withGuest(parts, guestToken, account) }
}

/** The ledger decides what the account takes over; the line and the caches follow. Rules A45 to A48. */
async function withGuest<Account extends { readonly id: string }>(
  parts: AdoptionParts,
  guestToken: string | undefined,
  account: (db: Ledger['db']) => Promise<Account>,
): Promise<{ account: Account } & Partial<Brought>> {
  // Also reads a token that the adoption itself has ended: a repeated sign-in gets the same answer.
  const guest = guestToken === undefined ? null : parts.identity.tokens.read(guestToken)
  // A device that took a place over acts for the guest in one sale, and cannot give away what the guest owns (A51).
  const isGuestsOwn = guest !== null && guest.role === 'guest' && guest.sale === undefined
  if (!isGuestsOwn) return { account: await inTransaction(parts.ledger, ({ db }) => account(db)) }
  const adoption = { guestId: guest.id, identity: parts.roomTokens.identities.of(guest.id) }
  const adopted = await adoptInLedger(parts.ledger, { ...adoption, tokenSeconds: secondsOf(parts, guest), account })
  return { account: adopted.account, ...(await bring(parts, adoption, adopted)) }
}

/** How long a token of this guest may be valid: as long as the one that was shown, and by a clock that differs from ours. */
function secondsOf({ now }: Pick<AdoptionParts, 'now'>, { expiresAt = 0 }: Actor): number {
  return Math.max(0, Math.ceil(expiresAt - now() / 1_000)) + TOKEN_VALID_SECONDS_MAX
}

/** Tells the line and the caches what the ledger has decided. A repeated call gets the same answer as the first. */
async function bring(
  parts: AdoptionParts,
  adoption: { guestId: string; identity: string },
  { status, account, canceled, changes }: Adopted<{ readonly id: string }>,
): Promise<Brought> {
  if (status === 'other') return { tickets: [], canceled: [] }
  await parts.identity.ended.refresh()
  // Release the seats before moving the tickets: the line ends no ticket that it still records as holding a
  // reservation.
  for (const { eventId, change, ended } of changes) await parts.boxOffice.tell(eventId, change, lossesOf(ended))
  return {
    tickets: await adoptTickets(parts, { ...adoption, userId: account.id }),
    canceled: await showAll(parts.ledger, canceled),
  }
}

async function showAll({ db }: Ledger, ids: readonly string[]): Promise<ShownReservation[]> {
  return (await readReservations(db, ids)).map(showReservation)
}
