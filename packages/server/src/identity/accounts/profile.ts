import { SeatwiseError } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { type Profile, toProfile } from './account.ts'
import { requireAvatar, requireName } from './profile-fields.ts'

export interface ProfileChange {
  readonly name?: string
  /** Null removes it. */
  readonly avatar?: string | null
}

export async function readProfile(ledger: Ledger, id: string): Promise<Profile> {
  const row = await ledger.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw accountIsGone()
  return toProfile(row)
}

/** Changes the given fields only. */
export async function changeProfile(ledger: Ledger, id: string, change: ProfileChange): Promise<Profile> {
  const changed = {
    ...(change.name === undefined ? {} : { name: requireName(change.name) }),
    ...(change.avatar === undefined ? {} : { avatar: change.avatar === null ? null : requireAvatar(change.avatar) }),
  }
  const row = await ledger.db
    .updateTable('users')
    .set((expression) => ({ ...changed, updated_at: expression.fn<Date>('now') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw accountIsGone()
  return toProfile(row)
}

/** The token is valid, but its account no longer exists. */
function accountIsGone(): SeatwiseError {
  return new SeatwiseError('UNAUTHORIZED', { message: 'This account does not exist any more' })
}
