import { isStrongSession, type Ledger } from '@seatwise/ledger'
import type { Actor, StrongSignIn } from '../../http/index.ts'
import { RecentMap } from '../../kit/index.ts'
import type { Teams } from '../organizations/teams.ts'

/** Far more than managers are signed in. */
const STRONG_MAX = 1_000

/** The rule that the HTTP kernel asks, and how many strong sessions it remembers. */
export interface Strength extends StrongSignIn {
  readonly size: number
}

/** For a house that leaves the choice to its managers and admins. */
export const ASKS_NOBODY: Strength = { isAsked: () => false, has: async () => true, size: 0 }

/**
 * Asks admins, owners and managers of any organization for a passkey, a recovery code or the house's own provider. A session
 * that has shown one stays strong, so strong ones are remembered; weak ones are looked up each time, so that the call after
 * the passkey is let in on every server. An API key was made by an owner whom this asked.
 */
export function createStrength({ db }: Pick<Ledger, 'db'>, teams: Pick<Teams, 'of'>): Strength {
  const known = new RecentMap<string, true>(STRONG_MAX)
  return {
    isAsked: (actor) => actor.role !== 'key' && actor.sale === undefined && isPowerful(actor, teams),
    async has({ session }) {
      if (session === undefined) return false
      if (known.get(session.id)) return true
      const isStrong = await isStrongSession(db, session.id)
      if (isStrong) known.set(session.id, true)
      return isStrong
    },
    get size() {
      return known.size
    },
  }
}

function isPowerful(actor: Actor, teams: Pick<Teams, 'of'>): boolean {
  if (actor.role === 'admin') return true
  const roles = teams.of(actor)
  return roles.size > 0 && [...roles.values()].some((role) => role === 'owner' || role === 'manager')
}
