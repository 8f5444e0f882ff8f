import type { FastifyRequest } from 'fastify'
import type { Actor } from './access.ts'

/** Why a request is refused; undefined allows it. */
export type Refusal = Error | undefined

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
  /** The access token in the cookie of our own pages. */
  sessionOf(request: FastifyRequest): string | null
  /** Checks a request to a route for holders of tickets or passes, and stores in the request what it proves. */
  judgeHolder(request: FastifyRequest, access: 'ticket' | 'ticket-or-pass'): Refusal
}
