import { type MemberRole, SeatwiseError } from '@seatwise/domain'
import { type Member, type MemberChange, readMember, removeMember, setMember } from '@seatwise/ledger'
import type { IdentityServices } from '../identity.ts'

type Needs = Pick<IdentityServices, 'ledger' | 'identity'>

interface Target {
  readonly organizationId: string
  readonly userId: string
  readonly by: string
}

/** Gives a member another role; it counts at once here, and within two seconds everywhere. */
export async function changeMember(
  { ledger, identity }: Needs,
  { organizationId, userId, by }: Target,
  role: MemberRole,
): Promise<Member> {
  if ((await readMember(ledger.db, organizationId, userId)) === null) throw noMember()
  const member = requireDone(await setMember(ledger.db, { organizationId, userId, role }, by))
  await identity.teams.refresh()
  if (member === null) throw noMember()
  return member
}

/** Ends a membership, also one's own. */
export async function dropMember({ ledger, identity }: Needs, { organizationId, userId, by }: Target): Promise<void> {
  requireDone(await removeMember(ledger.db, { organizationId, userId }, by))
  await identity.teams.refresh()
}

function requireDone(change: MemberChange): Member | null {
  switch (change.status) {
    case 'done':
      return change.member
    case 'unknown':
      throw noMember()
    case 'last_owner':
      throw new SeatwiseError('LAST_OWNER')
  }
}

export const noMember = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such member' })
