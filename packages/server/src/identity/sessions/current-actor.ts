import type { Ledger, Row } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { RecentMap } from '../../kit/index.ts'

/** As old as the list of ended sessions may be: what ends a role in any other way counts as soon. */
const ROLE_AGE_MS_MAX = 2_000
/** Far more than a sale has staff. */
const ACTORS_MAX = 1_000

export interface CurrentActors {
  /** The actor as the account is now; null when it is gone, or has not the role that the token says. */
  find(actor: Actor): Promise<Actor | null>
  /** Must be called where a role is changed, so that on this server the change counts at once. */
  forget(id: string): void
  readonly size: number
}

type Account = Pick<Row<'users'>, 'role' | 'name' | 'avatar'>

/**
 * Looks up the accounts of tokens that carry privileges. Changing a role ends the sessions of the account; this
 * is for accounts that were changed or deleted in the ledger by hand. It never gives a role: a token has its own.
 */
export function createCurrentActors(ledger: Ledger, now: () => number): CurrentActors {
  const known = new RecentMap<string, { readonly account: Promise<Account | null>; readonly askedAtMs: number }>(
    ACTORS_MAX,
  )
  function accountOf(id: string): Promise<Account | null> {
    const entry = known.get(id)
    if (entry !== undefined && now() - entry.askedAtMs < ROLE_AGE_MS_MAX) return entry.account
    const account = findAccount(ledger, id)
    known.set(id, { account, askedAtMs: now() })
    account.catch(() => known.delete(id)) // The caller gets the error; the next one asks again.
    return account
  }
  return {
    async find(actor) {
      const account = await accountOf(actor.id)
      if (account === null || account.role !== actor.role) return null
      return { ...actor, name: account.name, avatar: account.avatar }
    },
    forget: (id) => known.delete(id),
    get size() {
      return known.size
    },
  }
}

async function findAccount(ledger: Ledger, id: string): Promise<Account | null> {
  const query = ledger.db.selectFrom('users').select(['role', 'name', 'avatar'])
  return (await query.where('id', '=', id).executeTakeFirst()) ?? null
}
