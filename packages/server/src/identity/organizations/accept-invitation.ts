import { randomUUIDv7 } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import {
  findMailLink,
  type Invitation,
  openVerifiedAccount,
  readInvitation,
  setMemberInside,
  takeInvitation,
} from '@seatwise/ledger'
import { nameFromAddress } from '../accounts/profile-fields.ts'
import type { IdentityServices } from '../identity.ts'
import { TOKEN_VALID_SECONDS_MAX } from '../sessions/access-token.ts'

type Needs = Pick<IdentityServices, 'ledger' | 'identity'>

/** The invitation that a link is of; null once it is over. */
export async function invitationByLink({ ledger }: Pick<Needs, 'ledger'>, token: string): Promise<Invitation | null> {
  const id = await findMailLink(ledger.db, 'invitation', token)
  return id === null ? null : await readInvitation(ledger.db, id)
}

/**
 * Makes the account of the invited address a member; makes the account if there is none. The link proves that its user reads
 * the address's mail, and nothing about who registered it: an account that was never verified loses its password and its
 * sessions. The link signs nobody in.
 */
export async function acceptInvitation({ ledger, identity }: Needs, token: string): Promise<Invitation> {
  const found = await invitationByLink({ ledger }, token)
  if (found === null) throw new SeatwiseError('INVITATION_OVER')
  const accepted = await ledger.db.transaction().execute(async (transaction) => {
    const invitation = await takeInvitation(transaction, found.id)
    if (invitation === null) throw new SeatwiseError('INVITATION_OVER')
    const { organizationId, email, emailKey, role } = invitation
    const proposed = {
      ...{ id: randomUUIDv7(), email, email_key: emailKey, password_hash: null },
      ...{ name: nameFromAddress(email), role: 'buyer' as const },
    }
    const { id: userId } = await openVerifiedAccount(transaction, proposed, TOKEN_VALID_SECONDS_MAX)
    const change = await setMemberInside(transaction, { organizationId, userId, role }, invitation.invitedBy)
    if (change.status === 'last_owner') throw new SeatwiseError('LAST_OWNER')
    return invitation
  })
  await Promise.all([identity.ended.refresh(), identity.teams.refresh()])
  return accepted
}
