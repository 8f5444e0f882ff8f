import { createSecretKey, randomBytes } from 'node:crypto'
import { codeKey } from '@seatwise/domain'
import { keepLastingKey, type Ledger } from '@seatwise/ledger'
import { Mac } from '../../identity/index.ts'

const KEY_BYTES = 32

/** Keyed hashes of codes and addresses, each for one room: two rooms' lists cannot be compared. Rule R122. */
export interface InvitationHashes {
  /** Case, spaces and hyphens do not matter, as in codes of events. */
  ofCode(roomId: string, text: string): string
  /** Of an address as accounts are compared by. */
  ofAddress(roomId: string, emailKey: string): string
}

/** The key lies in the ledger, because lists outlive secrets: a list is useless without that other table. */
export async function openInvitationHashes({ db }: Pick<Ledger, 'db'>): Promise<InvitationHashes> {
  const key = createSecretKey(await keepLastingKey(db, 'room-invitation', randomBytes(KEY_BYTES)))
  const mac = new Mac(key)
  return {
    ofCode: (roomId, text) => mac.of(`code:${roomId}:${codeKey(text)}`, 'base64url'),
    ofAddress: (roomId, emailKey) => mac.of(`address:${roomId}:${emailKey}`, 'base64url'),
  }
}
