import type { Eta, ExpiryReason, Reservation } from '../types.ts'

/** What the server tells about a ticket: the answer of `status` and, with a token, of `join` and `accept`. */
export interface Position {
  readonly status: 'waiting' | 'admitted' | 'active' | 'completed' | 'expired'
  readonly ticketId: string
  readonly away?: boolean
  readonly reason?: ExpiryReason
  readonly rank: number | null
  readonly place: number
  readonly exact: boolean
  readonly queueLength: number
  readonly eta: Eta
  readonly expiresAt?: string
  readonly activeToken?: string
  readonly extended?: boolean
  readonly reservation?: Reservation
  readonly group?: { readonly people: number }
  readonly name: string | null
  readonly avatar: string | null
  readonly joinedAt: string
  readonly pollAfterMs: number
  /** Whether the room wants this visitor to open a socket. */
  readonly push?: boolean
  readonly epoch: number
  readonly seq: number
}

export interface JoinAnswer extends Position {
  readonly ticketToken: string
  /** Of a guest who was made by joining. */
  readonly accessToken?: string
}
