import { randomUUID } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import { type HandedTicket, keepSaleSession, releaseHandoverCode, useHandoverCode } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { type IssuedToken, TOKEN_VALID_SECONDS_MAX } from '../../identity/index.ts'
import type { Room, RoomView } from '../room.ts'
import type { RoomServices } from '../room-services.ts'

type Parts = Pick<RoomServices, 'config' | 'ledger' | 'roomTokens' | 'identity'>

export interface AcceptedPlace {
  readonly view: RoomView
  readonly identity: string
  /** The access token of the ticket's owner, limited to this sale. */
  readonly token: IssuedToken
}

export interface Acceptance {
  readonly code: string
  /** A retry with the same key, after a lost answer, takes the place only once. */
  readonly operation: string
  readonly address: string
}

/** Takes a place over: this device now holds the ticket, and acts for its owner in this sale. Rules R5 and A50. */
export async function acceptCode(parts: Parts, room: Room, acceptance: Acceptance): Promise<AcceptedPlace> {
  const { config, ledger, roomTokens, identity } = parts
  const { operation } = acceptance
  const guess = config.rateLimits ? roomTokens.codeGuesses.begin(room.id, acceptance.address) : null
  const codeHashes = roomTokens.handovers.hashesOf(room.id, acceptance.code)
  const ticket = codeHashes && (await useHandoverCode(ledger.db, { roomId: room.id, codeHashes, operation }))
  if (ticket === null) {
    throw new SeatwiseError('BAD_CODE', { message: 'This code is wrong, was used, or has expired: ask for a new one' })
  }
  guess?.succeeded()
  try {
    const actor = await actorBehind(parts, room, ticket)
    const view = await take(room, ticket, operation)
    return { view, identity: ticket.identity, token: identity.tokens.issue(actor) }
  } catch (error) {
    const isOver = error instanceof SeatwiseError && error.status < 500
    if (!isOver) await releaseHandoverCode(ledger.db, { roomId: room.id, number: ticket.number, operation })
    throw error
  }
}

async function take(room: Room, { number, identity, generation }: HandedTicket, operation: string): Promise<RoomView> {
  const moved = await room.move({ number, identity, generation, operation })
  if (moved.status === 'moved_here') return moved
  if (moved.status === 'moved') throw new SeatwiseError('TICKET_MOVED')
  throw new SeatwiseError(moved.status === 'over' ? 'TICKET_ENDED' : 'BAD_CODE')
}

/**
 * The ticket's owner without privileges, limited to this sale. Ending the owner's sessions ends this session, and so
 * does taking the place back: the session is therefore stored before the place moves.
 */
async function actorBehind({ ledger }: Parts, room: Room, { ownerId, isGuest }: HandedTicket): Promise<Actor> {
  const sale = { roomId: room.id, eventId: room.row.eventId }
  const id = randomUUID()
  await keepSaleSession(ledger.db, id, { roomId: room.id, ownerId, keptSeconds: TOKEN_VALID_SECONDS_MAX })
  if (isGuest) return { id: ownerId, role: 'guest', name: null, avatar: null, session: { id, version: 0 }, sale }
  const account = await ledger.db
    .selectFrom('users')
    .select(['name', 'avatar', 'session_version'])
    .where('id', '=', ownerId)
    .executeTakeFirst()
  // The sessions of a deleted account have ended, and this one with them.
  const { name = null, avatar = null, session_version: version = 0 } = account ?? {}
  return { id: ownerId, role: 'buyer', name, avatar, session: { id, version }, sale }
}
