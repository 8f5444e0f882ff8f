import { SeatwiseError } from '@seatwise/domain'
import { type Ledger, readConfirmed } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'

/** For how long it counts that an owner confirmed to be there: by signing in, or by repeating it. */
const FRESH_SECONDS = 15 * 60

/** What the ledger knows about the session of an actor. */
export interface Freshness {
  /** Whether the actor signed in, or repeated it, within the last 15 minutes. */
  isFresh(actor: Actor): Promise<boolean>
  /** Throws FRESH_SIGN_IN_NEEDED unless `isFresh`: for acts that need it only in some cases, such as above a limit. */
  requireFresh(actor: Actor): Promise<void>
  /** Whether the session was begun by link within the last 15 minutes. */
  cameByLink(actor: Actor): Promise<boolean>
}

export function createFreshness({ db }: Pick<Ledger, 'db'>): Freshness {
  const confirmedBy = async ({ session }: Actor) =>
    session === undefined ? null : await readConfirmed(db, session.id, FRESH_SECONDS)
  // A program cannot confirm anything: the owner who made its key did so a moment before.
  const isFresh = async (actor: Actor): Promise<boolean> =>
    actor.role === 'key' || (await confirmedBy(actor))?.isFresh === true
  return {
    isFresh,
    async requireFresh(actor) {
      if (!(await isFresh(actor))) throw new SeatwiseError('FRESH_SIGN_IN_NEEDED')
    },
    async cameByLink(actor) {
      const session = await confirmedBy(actor)
      return session !== null && session.method === 'link' && session.isNew
    },
  }
}
