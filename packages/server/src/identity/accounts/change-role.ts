import { SeatwiseError } from '@seatwise/domain'
import { endSessionsOf, followRole, recordAction } from '@seatwise/ledger'
import type { AccountRole } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'
import { TOKEN_VALID_SECONDS_MAX } from '../sessions/access-token.ts'
import { type Profile, toProfile } from './account.ts'

/**
 * Changes an account's role. All its sessions end, so the new role counts from the next sign-in. Throws LAST_ADMIN when
 * no admin would be left.
 */
export async function changeRole(
  { ledger, identity }: Pick<IdentityServices, 'ledger' | 'identity'>,
  id: string,
  role: AccountRole,
  by: string,
): Promise<Profile> {
  const profile = await ledger.db.transaction().execute(async (transaction) => {
    // Two admins who demote each other concurrently wait here; rows are locked in order of id, so without deadlock.
    const admins = await transaction
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .orderBy('id')
      .forUpdate()
      .execute()
    const isLastAdmin = admins.length === 1 && admins[0]?.id === id
    if (isLastAdmin && role !== 'admin') throw new SeatwiseError('LAST_ADMIN')
    const before = await transaction.selectFrom('users').select('role').where('id', '=', id).executeTakeFirst()
    const row = await transaction
      .updateTable('users')
      .set((expression) => ({ role, updated_at: expression.fn<Date>('now') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw new SeatwiseError('NOT_FOUND')
    if (before !== undefined && before.role !== role) {
      await endSessionsOf(transaction, id, { keptSeconds: TOKEN_VALID_SECONDS_MAX })
      await followRole(transaction, { userId: id, before: before.role, role, by })
    }
    const note = { actorId: by, kind: 'role.changed', subject: id, before: { ...before }, after: { role } } as const
    await recordAction(transaction, note)
    return toProfile(row)
  })
  identity.actors.forget(id)
  await Promise.all([identity.ended.refresh(), identity.teams.refresh()])
  return profile
}
