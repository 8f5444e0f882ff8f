import type { FastifyRequest } from 'fastify'
import type { Actor } from './access.ts'

/** Why a request is refused; undefined lets it in. */
export type Refusal = Error | undefined

/** What the access rules ask about callers. `identity` and `rooms` answer; `main` puts their answers together. */
export interface Callers {
  readonly tokens: {
    verify(token: string): Actor | null
    /** The same without asking whether the session has ended. */
    read(token: string): Actor | null
  }
  readonly ended: {
    has(actor: Actor): boolean
    /** Waits until the list of ended sessions is recent, or throws. */
    recent(): Promise<void>
  }
  /** The actor as the account is now; null when it has not the role that the token says. */
  readonly actors: { find(actor: Actor): Promise<Actor | null> }
  /** The access token in the cookie of our own pages. */
  sessionOf(request: FastifyRequest): string | null
  /** Judges a route for holders of tickets or passes, and notes in the request what it proves. */
  judgeHolder(request: FastifyRequest, access: 'ticket' | 'ticket-or-pass'): Refusal
}
