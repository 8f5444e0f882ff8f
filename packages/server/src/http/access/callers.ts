import type { MemberRole } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import type { ActAccess, Actor } from './access.ts'
import type { StrongSignIn } from './strong.ts'

/** Why a request is refused; undefined allows it. */
export type Refusal = Error | undefined

export interface SubjectOfAct {
  /** Null for what only admins own. */
  readonly organizationId: string | null
  /** Whether it is no secret that this exists. */
  readonly isPublic: boolean
}

/** What the access rules need to know about callers. `identity` and `rooms` implement it; `main` joins the two. */
export interface Callers {
  readonly tokens: {
    verify(token: string): Actor | null
    /** The same without checking whether the session has ended. */
    read(token: string): Actor | null
  }
  readonly ended: {
    has(actor: Actor): boolean
    /** Waits until the list of ended sessions is recent, or throws. */
    recent(): Promise<void>
  }
  /** Runs a read of the ledger that fails at once while the ledger is away or silent. */
  readonly ask: <Answer>(read: () => Promise<Answer>) => Promise<Answer>
  /** The actor with the account's current data; null when the account no longer has the token's role. */
  readonly actors: { find(actor: Actor): Promise<Actor | null> }
  /** Whether the actor signed in, or repeated it, within the last minutes. */
  isFresh(actor: Actor): Promise<boolean>
  readonly strong: StrongSignIn
  /** Members of organizations and their API keys, in memory. */
  readonly teams: {
    /** The caller's role in each organization; empty while the list is too old, and for tokens of one sale. */
    of(actor: Actor): ReadonlyMap<string, MemberRole>
    /** The program that has this key, unless it is revoked or over. */
    findKey(key: string): Promise<Actor | null>
    refresh(): Promise<void>
  }
  /** To which organization something belongs; null when there is no such thing. */
  readonly subjects: {
    find(kind: Exclude<ActAccess['on'], 'some'>, id: string): Promise<SubjectOfAct | null>
  }
  /** The access token in the cookie of our own pages. */
  sessionOf(request: FastifyRequest): string | null
  /** Checks a request to a route for holders of tickets or passes, and stores in the request what it proves. */
  judgeHolder(request: FastifyRequest, access: 'ticket' | 'ticket-or-pass'): Refusal
}
