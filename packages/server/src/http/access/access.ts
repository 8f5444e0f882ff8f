import type { SaleScope } from './sale-scope.ts'

export const ROLES = ['guest', 'buyer', 'staff', 'organizer', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** The roles an account can have. A guest has no account: the access token is all there is of one. */
export const ACCOUNT_ROLES = ['buyer', 'staff', 'organizer', 'admin'] as const satisfies readonly Role[]
export type AccountRole = (typeof ACCOUNT_ROLES)[number]

/**
 * Who may call a route.
 *
 * - `public`: everybody; an access token is not even looked at.
 * - `public-or-signed-in`: everybody; who sends an access token is known by it, and a bad one is refused.
 * - `signed-in`: whoever has a valid access token, guests too.
 * - `ticket`: visitors who prove to hold a ticket by its token or the browser's cookie.
 * - `ticket-or-pass`: the same, or by a pass of the floor.
 * - `local-network`: whoever connects directly from a loopback or private address; others need the role admin.
 * - a list of roles: whoever has a valid access token with one of them.
 */
export type Access =
  | 'public'
  | 'public-or-signed-in'
  | 'signed-in'
  | 'ticket'
  | 'ticket-or-pass'
  | 'local-network'
  | readonly Role[]

/** Who makes a request, proven by an access token. */
export interface Actor {
  /** The account's id, or the guest's. */
  readonly id: string
  readonly role: Role
  /** As of signing in; what joining a line shows unless the visitor says otherwise. */
  readonly name?: string | null | undefined
  readonly avatar?: string | null | undefined
  /** Of an account that signed in, or of a device that took a place over. Other guests have none: what ends is the guest. */
  readonly session?: TokenSession | undefined
  /** When the token ends, in seconds since 1970; undefined for an actor who was not read from a token. */
  readonly expiresAt?: number | undefined
  /** The one sale that the token is good for; undefined for a token that is good everywhere. */
  readonly sale?: SaleScope | undefined
}

/** From one signing in to the signing out, or to the end of its tokens. */
export interface TokenSession {
  readonly id: string
  /** The version of the account's sessions when this one began. When a higher one is set, older ones end. */
  readonly version: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route states it; a route that does not keeps the server from starting. */
    access?: Access
  }
  interface FastifyRequest {
    /** Set before the body is read; null where nobody had to sign in. */
    actor: Actor | null
  }
}
