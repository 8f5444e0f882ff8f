import type { Ledger } from '@seatwise/ledger'
import type { Session } from './account.ts'

/** What a guest who signed in brought to the account. */
export type Brought = Required<Pick<Session, 'tickets' | 'canceled'>>

/**
 * Moves a guest's belongings to an account. The box office implements it, because a guest may own tickets and
 * reservations.
 */
export interface Adoption {
  /**
   * Finds or creates the account that a visitor signs in to, and moves to it everything that the guest with
   * `guestToken` owned. Both happen in one transaction; a token that is not a guest's changes nothing. Rules A45 to
   * A48.
   */
  withGuest<Account extends { readonly id: string }>(
    guestToken: string | undefined,
    account: (db: Ledger['db']) => Promise<Account>,
  ): Promise<{ account: Account } & Partial<Brought>>
}
