import type { Ledger } from '@seatwise/ledger'
import { type Profile, toProfile } from './account.ts'
import { parseEmail } from './email-address.ts'

export interface AccountPage {
  items: Profile[]
  nextCursor: string | null
}

export interface AccountQuery {
  readonly email?: string
  /** The id of the last account of the previous page. */
  readonly cursor?: string
  readonly limit: number
}

/** Newest first (ids grow with time); with an address, only the account that has it. */
export async function listAccounts(ledger: Ledger, { email, cursor, limit }: AccountQuery): Promise<AccountPage> {
  let query = ledger.replica.selectFrom('users').selectAll().orderBy('id', 'desc')
  if (email !== undefined) {
    const key = parseEmail(email)?.key
    if (key === undefined) return { items: [], nextCursor: null }
    query = query.where('email_key', '=', key)
  }
  if (cursor !== undefined) query = query.where('id', '<', cursor)
  const rows = await query.limit(limit + 1).execute()
  const items = rows.slice(0, limit).map(toProfile)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
