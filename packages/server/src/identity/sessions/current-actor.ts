import type { Ledger, Row } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { RecentMap } from '../../kit/index.ts'

/** The same age as the list of ended sessions may have, so that both kinds of revocation take effect equally fast. */
const ROLE_AGE_MS_MAX = 2_000
/** Far more than the staff of a sale. */
const ACTORS_MAX = 1_000

export interface CurrentActors {
  /** The actor with the account's current data; null when the account is gone or no longer has the token's role. */
  find(actor: Actor): Promise<Actor | null>
  /** Must be called after a role is changed, so that the change takes effect at once on this server. */
  forget(id: string): void
  readonly size: number
}

type Account = Pick<Row<'users'>, 'role' | 'name' | 'avatar'>

/**
 * Looks up the accounts of privileged tokens. Changing a role ends the account's sessions; this look-up is for accounts
 * that were changed or deleted directly in the database. It never grants a role: the token states the role.
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
    account.catch(() => known.delete(id)) // The caller gets the error; the next call retries.
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
