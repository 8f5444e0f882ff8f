import { SeatwiseError } from '@seatwise/domain'
import type { JoinReply, JoinRequest } from '@seatwise/line'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import type { Challenge } from './challenges.ts'

type Parts = Pick<RoomServices, 'config' | 'roomTokens'>

/** Whether a join costs a proof, what it spends, and what follows from the store's answer. Rules R82 to R85. */
export interface AskedProof {
  readonly request: Pick<JoinRequest, 'proof'>
  /** Throws what the visitor is refused with; undoes the count of a join that drew nothing. */
  judge(reply: JoinReply): void
}

/** What a visitor joins with: the solution of a challenge or, without a script, a signed wait. */
export interface Given {
  readonly proof?: string
  readonly wait?: string
}

/** Asks no store: a join that needs no proof costs no more than before. */
export function askForProof(parts: Parts, room: Room, address: string, { proof: given, wait }: Given): AskedProof {
  const { rush, challenges, waits } = parts.roomTokens
  const { challenge: setting } = room.settings
  const isCounted = setting === 'always' || (setting !== 'off' && parts.config.rateLimits)
  if (!isCounted) return NOTHING_ASKED
  const isNeeded = setting === 'always' || rush.look(room.id, address).isRush
  // The challenge was counted when it was drawn.
  if (isNeeded && given !== undefined) {
    const proof = challenges.read(room, given)
    if (proof === null) throw new SeatwiseError('CHALLENGE_FAILED')
    return { request: { proof: { ...proof, forMs: 0 } }, judge: refuseSpent }
  }
  const waited = isNeeded && wait !== undefined ? waits.read(room, address, wait) : null
  if (waited !== null) return { request: { proof: waited }, judge: refuseSpent }
  const { work } = rush.count(room.id, address)
  return {
    request: isNeeded ? { proof: null } : {},
    judge({ status }) {
      if (status === 'joined') return
      if (status !== 'proof_missing') return rush.forget(room.id, address)
      throw new SeatwiseError('CHALLENGE_REQUIRED', { details: { challenge: challenges.draw(room, work) } })
    },
  }
}

/** A challenge for a visitor who asks before joining; it counts as a join would. */
export function drawChallenge({ roomTokens }: Parts, room: Room, address: string): Challenge {
  const { work } = roomTokens.rush.count(room.id, address)
  return roomTokens.challenges.draw(room, work)
}

const NOTHING_ASKED: AskedProof = { request: {}, judge: () => {} }

function refuseSpent({ status }: JoinReply): void {
  if (status === 'proof_spent') throw new SeatwiseError('CHALLENGE_FAILED')
}
