import { randomUUID } from 'node:crypto'
import { type MemberRole, SeatwiseError } from '@seatwise/domain'
import { keepInvitation, type Member, setMember } from '@seatwise/ledger'
import { requireEmail } from '../accounts/email-address.ts'
import type { IdentityServices } from '../identity.ts'

/** Open ones of an organization. */
const INVITATIONS_MAX = 100
const INVITATION_SECONDS = 7 * 86_400

export interface MemberWish {
  readonly organizationId: string
  readonly email: string
  readonly role: MemberRole
  readonly by: string
  /** Of the mail. */
  readonly language: string
}

export interface SentInvitation {
  readonly id: string
  readonly email: string
  readonly role: MemberRole
  readonly expiresAt: Date
}

export type Added =
  | { readonly status: 'member'; readonly member: Member }
  | { readonly status: 'invited'; readonly invitation: SentInvitation }

/**
 * An account whose address is verified is a member at once; every other address is invited by mail: whoever registered an
 * address need not be the one who reads its mail.
 */
export async function addMember(
  { config, ledger, identity }: Pick<IdentityServices, 'config' | 'ledger' | 'identity'>,
  { organizationId, email, role, by, language }: MemberWish,
): Promise<Added> {
  const { address, key } = requireEmail(email)
  const account = ledger.db.selectFrom('users').select('id').where('email_key', '=', key)
  const verified = await account.where('verified_at', 'is not', null).executeTakeFirst()
  if (verified !== undefined) {
    const change = await setMember(ledger.db, { organizationId, userId: verified.id, role }, by)
    if (change.status !== 'done' || change.member === null) throw new SeatwiseError('LAST_OWNER')
    await identity.teams.refresh()
    return { status: 'member', member: change.member }
  }
  if (config.rateLimits) identity.mailLimits.require(key)
  const id = randomUUID()
  const invitation = { id, organizationId, email: address, emailKey: key, role, language, invitedBy: by }
  const expiresAt = await keepInvitation(ledger, { ...invitation, keptSeconds: INVITATION_SECONDS }, INVITATIONS_MAX)
  if (expiresAt === null) throw new SeatwiseError('TEAM_LIMIT')
  return { status: 'invited', invitation: { id, email: address, role, expiresAt } }
}
