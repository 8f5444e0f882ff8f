import { SeatwiseError } from '@seatwise/domain'
import { isLedgerAway, joining, type Ledger } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { createCodeGuesses } from '../handover/code-guesses.ts'
import type { Room } from '../room.ts'
import type { InvitationHashes } from './invitation-hashes.ts'

/** A visitor who types a code by hand errs a few times; visitors behind one address may each have a code. */
const OF_SENDER = { name: 'invitation', perSecond: 0.2, burst: 30 }

export interface EntryWish {
  readonly actor: Actor
  /** As it was typed. */
  readonly invitation: string | undefined
  /** The join has a priority code of this room, which an operator gave as well: it is spent with the ticket. */
  readonly hasPriority: boolean
  /** Wrong codes are counted for it; null where rates are not limited. */
  readonly address: string | null
}

export interface Entry {
  /** Why a visitor without a live ticket gets none; null for one who may join. */
  readonly refusal: 'NOT_INVITED' | 'NOT_VERIFIED' | null
  /** For a visitor who then got no ticket: a code that no other visitor had used is free again. */
  undo(): Promise<void>
}

/** Who may join a room that is not open to all. Rules R121 to R124. */
export interface Entries {
  judge(room: Room, wish: EntryWish): Promise<Entry>
  readonly hashes: InvitationHashes
  readonly size: number
}

const nothing = async (): Promise<void> => {}
const LET_IN: Entry = { refusal: null, undo: nothing }
const notInvited: Entry = { refusal: 'NOT_INVITED', undo: nothing }
const notVerified: Entry = { refusal: 'NOT_VERIFIED', undo: nothing }

export function createEntries(
  { db }: Pick<Ledger, 'db'>,
  hashes: InvitationHashes,
  now: () => number,
  workers = 1,
): Entries {
  const guesses = createCodeGuesses(now, workers, { ofSender: OF_SENDER, ofRoom: null })

  async function withCode(roomId: string, { actor, invitation = '', address }: EntryWish): Promise<Entry> {
    const guess = address === null ? null : guesses.begin(roomId, address)
    const claim = { roomId, hash: hashes.ofCode(roomId, invitation), visitorId: actor.id }
    const claimed = await joining.claimInvitation(db, claim).catch((error: unknown) => {
      guess?.succeeded()
      throw error
    })
    if (claimed === null) return notInvited
    guess?.succeeded()
    return claimed === 'own' ? LET_IN : { refusal: null, undo: () => joining.releaseInvitation(db, claim) }
  }

  async function judge(room: Room, wish: EntryWish): Promise<Entry> {
    const { entry } = room.settings
    if (entry === 'anyone') return LET_IN
    const { actor, invitation, hasPriority } = wish
    const verified = actor.role === 'guest' ? null : await joining.readVerifiedAddress(db, actor.id)
    if (entry === 'verified') return verified === null ? notVerified : LET_IN
    if (hasPriority) return LET_IN
    const addressHash = verified === null ? null : hashes.ofAddress(room.id, verified)
    if (await joining.isInvited(db, { roomId: room.id, visitorId: actor.id, addressHash })) return LET_IN
    return invitation === undefined ? notInvited : await withCode(room.id, wish)
  }

  return {
    hashes,
    async judge(room, wish) {
      try {
        return await judge(room, wish)
      } catch (cause) {
        throw isLedgerAway(cause) ? new SeatwiseError('UNAVAILABLE', { cause, retryAfterSeconds: 1 }) : cause
      }
    },
    get size() {
      return guesses.size
    },
  }
}
