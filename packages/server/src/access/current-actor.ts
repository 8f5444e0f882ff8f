import type { Ledger } from '@seatwise/seats'
import { ACCOUNT_ROLES, type Actor } from './access.ts'
import { RecentMap } from './recent-map.ts'

/** The longest that somebody who lost a role keeps it on a server that did not hear of it. */
const ROLE_AGE_MS_MAX = 5_000
/** Far more than a sale has staff. */
const ACTORS_MAX = 1_000

export interface CurrentActors {
  find(actor: Actor): Promise<Actor | null>
  /** Must be called where a role is changed, so that on this server the change counts at once. */
  forget(id: string): void
  readonly size: number
}

/**
 * The role that an account has now. Asked only for tokens that carry privileges: a token is good for hours, but a
 * role that was taken away must not be.
 */
export function createCurrentActors(ledger: Ledger, now: () => number): CurrentActors {
  const known = new RecentMap<string, { readonly actor: Promise<Actor | null>; readonly askedAtMs: number }>(ACTORS_MAX)
  return {
    find({ id }) {
      const entry = known.get(id)
      if (entry !== undefined && now() - entry.askedAtMs < ROLE_AGE_MS_MAX) return entry.actor
      const actor = findActor(ledger, id)
      known.set(id, { actor, askedAtMs: now() })
      actor.catch(() => known.delete(id)) // Whoever asked gets the error; whoever asks next asks again.
      return actor
    },
    forget: (id) => known.delete(id),
    get size() {
      return known.size
    },
  }
}

async function findActor(ledger: Ledger, id: string): Promise<Actor | null> {
  const row = await ledger.db
    .selectFrom('users')
    .select(['role', 'name', 'avatar'])
    .where('id', '=', id)
    .executeTakeFirst()
  const role = ACCOUNT_ROLES.find((known) => known === row?.role)
  return row === undefined || role === undefined ? null : { id, role, name: row.name, avatar: row.avatar }
}
