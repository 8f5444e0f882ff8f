import type { Act, MemberRole } from '@seatwise/domain'
import type { SaleScope } from './sale-scope.ts'

export const ROLES = ['guest', 'buyer', 'staff', 'organizer', 'admin'] as const
/** What an access token can say; `key` is what a program with an API key is. */
export type TokenRole = (typeof ROLES)[number]
export type Role = TokenRole | 'key'

/** The roles of an account. A guest has no account, only an access token. */
export const ACCOUNT_ROLES = ['buyer', 'staff', 'organizer', 'admin'] as const satisfies readonly Role[]
export type AccountRole = (typeof ACCOUNT_ROLES)[number]

/**
 * Who may call a route.
 *
 * - `public`: every caller; the access token is ignored.
 * - `public-or-signed-in`: every caller; a valid access token identifies the caller, an invalid one is refused.
 * - `signed-in`: callers with a valid access token, including guests.
 * - `ticket`: visitors who prove that they hold a ticket, with its token or the browser's cookie.
 * - `ticket-or-pass`: the same, or with a pass of the floor.
 * - `local-network`: callers that connect directly from a loopback or private address; others need the role admin.
 * - a list of roles: callers with a valid access token for one of these roles.
 * - an act: members and API keys of the organization concerned whose role may do it (`spec/roles.md`), and admins.
 */
export type Access =
  | 'public'
  | 'public-or-signed-in'
  | 'signed-in'
  | 'ticket'
  | 'ticket-or-pass'
  | 'local-network'
  | readonly Role[]
  | ActAccess

/** Routes of operators: who may call them follows from the organization that owns what the path names. */
export interface ActAccess {
  readonly act: Act
  /**
   * What `:id` in the path names. `some`: the path names nothing; the caller must be allowed the act in one organization at
   * least, and the handler asks `mayDo` or `organizationsFor` about what it finds.
   */
  readonly on: 'event' | 'room' | 'organization' | 'purchase' | 'webhook' | 'some'
  /** The route also serves buyers, whose own things the handler finds; see `mayDo`. */
  readonly orOwner?: true
}

/** The caller of a request, proven by an access token. */
export interface Actor {
  /** The account's id, or the guest's. */
  readonly id: string
  readonly role: Role
  /** Its role in each organization. Empty for guests, and while the list of members is too old to decide by. */
  readonly teams?: ReadonlyMap<string, MemberRole>
  /** Has more power than its session has shown enough for: it acts as a buyer until it does (`StrongSignIn`). */
  readonly isWeak?: true
  /** Of an API key: the account that made it. */
  readonly madeBy?: string
  /** As of signing in; shown in the line unless the visitor chooses another name when joining. */
  readonly name?: string | null | undefined
  readonly avatar?: string | null | undefined
  /**
   * For an account that signed in, or a device that took a place over. Other guests have none: the guest itself ends.
   */
  readonly session?: TokenSession | undefined
  /** When the token expires, in seconds since 1970; undefined for an actor that was not read from a token. */
  readonly expiresAt?: number | undefined
  /** The one sale that the token is limited to; undefined for a token without that limit. */
  readonly sale?: SaleScope | undefined
}

/** Lasts from signing in to signing out, or until its tokens expire. */
export interface TokenSession {
  readonly id: string
  /** The version of the account's sessions when this one began. Raising the version ends all older sessions. */
  readonly version: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route must state it; the server does not start otherwise. */
    access?: Access
    /**
     * For reads that are the same for every visitor: while the session of a privileged caller cannot be checked, its cookie is
     * ignored, as if the caller had not signed in. A token in a header is sent on purpose, and refused.
     */
    isForAll?: true
    /**
     * For acts that do harm in the wrong hands: the caller must have signed in, or repeated it, within the last 15 minutes. Else
     * the answer is 403 FRESH_SIGN_IN_NEEDED, and pages ask for it and go on.
     */
    fresh?: true
  }
  interface FastifyRequest {
    /** Set before the body is read; null where the route does not require signing in. */
    actor: Actor | null
  }
}
