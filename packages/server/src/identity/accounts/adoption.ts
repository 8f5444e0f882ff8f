import type { Ledger } from '@seatwise/ledger'
import type { Session } from './account.ts'

/** What a guest who signed in brought along. */
export type Brought = Required<Pick<Session, 'tickets' | 'canceled'>>

/** Gives what a guest owned to an account. The box office does it, because the guest may own tickets and reservations. */
export interface Adoption {
  /**
   * Finds or makes the account that a visitor signs in to, and gives it everything that the guest owned who holds
   * `guestToken`. Either both happens or neither; a token that is no guest's changes nothing. Rules A45 to A48.
   */
  withGuest<Account extends { readonly id: string }>(
    guestToken: string | undefined,
    account: (db: Ledger['db']) => Promise<Account>,
  ): Promise<{ account: Account } & Partial<Brought>>
}
