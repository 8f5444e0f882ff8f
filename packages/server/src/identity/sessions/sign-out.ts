import { endSession, endSessionsOf } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'
import { TOKEN_VALID_SECONDS_MAX } from './access-token.ts'

type Needs = Pick<IdentityServices, 'ledger' | 'identity'>

/** Ends the session of the actor's token, on this server at once and on all others within two seconds. */
export async function signOut(services: Needs, actor: Actor): Promise<void> {
  // A token that predates sessions can only be ended together with all others of the account.
  if (actor.session === undefined) return await signOutEverywhere(services, actor.id)
  await endSession(services.ledger.db, actor.session.id, TOKEN_VALID_SECONDS_MAX)
  await services.identity.ended.refresh()
}

/** Ends all sessions of an account. */
export async function signOutEverywhere({ ledger, identity }: Needs, accountId: string): Promise<void> {
  await ledger.db
    .transaction()
    .execute((transaction) => endSessionsOf(transaction, accountId, { keptSeconds: TOKEN_VALID_SECONDS_MAX }))
  await identity.ended.refresh()
}
