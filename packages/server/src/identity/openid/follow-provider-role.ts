import { SeatwiseError } from '@seatwise/domain'
import {
  HOUSE_ID,
  noteOutsideRole,
  type OutsideIdentity,
  type Row,
  readOutsideRole,
  removeMember,
  setMember,
} from '@seatwise/ledger'
import type { IDToken } from 'openid-client'
import { type OpenidSettings, PROVIDER_ROLES, type ProviderRole } from '../../config/index.ts'
import { changeRole } from '../accounts/change-role.ts'
import type { IdentityServices } from '../identity.ts'

type Needs = Pick<IdentityServices, 'ledger' | 'identity'>

/**
 * Gives the account the role that its groups at the provider stand for, when they stand for another one than last time: so the
 * provider takes away only what it gave, and what owners changed by hand stays. The last admin or owner keeps the role.
 */
export async function followProviderRole(
  services: Needs,
  account: Row<'users'>,
  {
    identity,
    claims,
    settings,
  }: { readonly identity: OutsideIdentity; readonly claims: IDToken; readonly settings: OpenidSettings },
): Promise<Row<'users'>> {
  const { db } = services.ledger
  const before = await readOutsideRole(db, identity)
  const role = roleOf(claims[settings.groupsClaim], settings)
  if (role === before) return account
  if (!(await change(services, account, before, role))) return account
  await noteOutsideRole(db, identity, role)
  await services.identity.teams.refresh()
  return await db.selectFrom('users').selectAll().where('id', '=', account.id).executeTakeFirstOrThrow()
}

/** False when the account is the last that has the role. */
async function change(
  services: Needs,
  { id, role: current }: Row<'users'>,
  before: ProviderRole | null,
  role: ProviderRole | null,
): Promise<boolean> {
  if (role === 'admin') {
    if (current !== 'admin') await changeRole(services, id, 'admin', id)
    return true
  }
  if (before === 'admin' && current === 'admin') {
    const isDemoted = await changeRole(services, id, 'buyer', id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof SeatwiseError && error.code === 'LAST_ADMIN') return false
        throw error
      },
    )
    if (!isDemoted) return false
  } else if (current === 'admin') {
    // Made an admin by hand: no group of the provider takes that away.
    return true
  }
  const { db } = services.ledger
  const membership = { organizationId: HOUSE_ID, userId: id }
  const { status } =
    role === null ? await removeMember(db, membership, id) : await setMember(db, { ...membership, role }, id)
  return status !== 'last_owner'
}

/** The highest role that one of the groups stands for. */
function roleOf(claim: unknown, { roles }: OpenidSettings): ProviderRole | null {
  const groups = Array.isArray(claim) ? claim : [claim]
  const given = new Set(groups.map((group) => (typeof group === 'string' ? roles.get(group) : undefined)))
  return PROVIDER_ROLES.find((role) => given.has(role)) ?? null
}
