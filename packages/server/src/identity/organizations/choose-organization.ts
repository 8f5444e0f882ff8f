import { type Act, MEMBER_ROLES, roleMay, SeatwiseError } from '@seatwise/domain'
import { findSubject, firstOrganization, HOUSE_ID, type Ledger } from '@seatwise/ledger'
import { type Actor, mayDo, organizationsFor } from '../../http/index.ts'

/**
 * The organization that something new is for: the one that is asked for, if the actor may do this there; else the first that
 * the actor joined, and for admins the house.
 */
export async function chooseOrganization(
  { db }: Pick<Ledger, 'db'>,
  actor: Actor,
  act: Act,
  asked: string | undefined,
): Promise<string> {
  if (asked === undefined) return (await firstOf(db, actor, act)) ?? HOUSE_ID
  const id = asked.toLowerCase()
  if (mayDo(actor, act, id) && (await findSubject(db, 'organization', id)) !== null) return id
  const isMember = actor.teams?.has(id) === true
  throw isMember
    ? new SeatwiseError('FORBIDDEN')
    : new SeatwiseError('NOT_FOUND', { message: 'There is no such organization' })
}

async function firstOf(db: Ledger['db'], actor: Actor, act: Act): Promise<string | null> {
  const allowed = organizationsFor(actor, act)
  if (allowed === null) return null
  if (allowed.length === 1) return allowed[0] ?? null
  const first = await firstOrganization(
    db,
    actor.id,
    MEMBER_ROLES.filter((role) => roleMay(role, act)),
  )
  if (first === null) throw new SeatwiseError('FORBIDDEN')
  return first
}
