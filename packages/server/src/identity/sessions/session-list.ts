import { SeatwiseError } from '@seatwise/domain'
import { type AccountSession, endSession, hasSession, listSessions } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'
import { TOKEN_VALID_SECONDS_MAX } from './access-token.ts'

/** Far more devices than a person has; an owner who sees so many ends them all. */
const SESSIONS_MAX = 100

type Needs = Pick<IdentityServices, 'ledger' | 'identity'>

export type ListedSession = AccountSession & {
  /** Whether it is the session of the request. */
  readonly isCurrent: boolean
}

/** The sessions of the actor's account, the last used first. */
export async function listOwnSessions({ ledger }: Pick<Needs, 'ledger'>, actor: Actor): Promise<ListedSession[]> {
  const sessions = await listSessions(ledger.db, actor.id, SESSIONS_MAX)
  return sessions.map((session) => ({ ...session, isCurrent: session.id === actor.session?.id }))
}

/** Ends one session of the actor's account: here at once, on all other servers within two seconds. Throws NOT_FOUND. */
export async function endOwnSession({ ledger, identity }: Needs, actor: Actor, id: string): Promise<void> {
  const isOwn = await hasSession(ledger.db, actor.id, id)
  if (!isOwn) throw new SeatwiseError('NOT_FOUND', { message: 'You have no such session' })
  await endSession(ledger.db, id, TOKEN_VALID_SECONDS_MAX)
  await identity.ended.refresh()
}
