import { SeatwiseError } from '@seatwise/domain'
import { type HandedTicket, keepHandoverCode, readTicketOwners } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { waitMs } from '../../kit/index.ts'
import type { Room, TicketClaims } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { requireCurrent } from '../routes/holder.ts'
import { HANDOVER_SECONDS } from '../tokens/handover-code.ts'
import { isHandedOver } from '../tokens/ticket-token.ts'

export interface GivenCode {
  readonly code: string
  readonly expiresAt: Date
}

type Parts = Pick<RoomServices, 'ledger' | 'roomTokens' | 'now'>

/** The ledger follows the line within a fraction of a second; visitors wait no longer than this. */
const OWNER_MS_MAX = 2_000
const LOOK_AGAIN_MS = 50

/** Issues the code that moves a place to another device. `actor` is the signed-in visitor who also holds the ticket. */
export async function giveCode(
  parts: Parts,
  room: Room,
  ticket: TicketClaims,
  actor: Actor | null,
): Promise<GivenCode> {
  const { view } = await room.look(ticket)
  requireCurrent(ticket, view)
  if (view.state === 'completed' || view.state === 'expired') throw new SeatwiseError('TICKET_ENDED')
  if (isHandedOver(ticket)) {
    throw new SeatwiseError('FORBIDDEN', { message: 'This device took the place over and cannot hand it on' })
  }
  const owner = await ownerOf(parts, room, ticket, actor)
  const { number, identity, generation } = ticket
  const handed = { number, identity, generation, ...owner }
  const code = parts.roomTokens.handovers.draw()
  const codeHash = parts.roomTokens.handovers.hash(room.id, code)
  const kept = { roomId: room.id, codeHash, ticket: handed, lifeSeconds: HANDOVER_SECONDS }
  return { code, expiresAt: await keepHandoverCode(parts.ledger.db, kept) }
}

type Owner = Pick<HandedTicket, 'ownerId' | 'isGuest'>

/**
 * The owner of a ticket. The ledger learns it a moment after the line; for a restored ticket only the holder knows it.
 */
async function ownerOf(
  { ledger, roomTokens, now }: Parts,
  room: Room,
  { number, identity }: TicketClaims,
  actor: Actor | null,
): Promise<Owner> {
  if (actor !== null && roomTokens.identities.of(actor.id) === identity) {
    return { ownerId: actor.id, isGuest: actor.role === 'guest' }
  }
  for (const startedAt = now(); ; await waitMs(LOOK_AGAIN_MS)) {
    const [owner] = await readTicketOwners(ledger.db, room.id, [number])
    if (owner?.identity === identity) {
      if (owner.buyerId !== null) return { ownerId: owner.buyerId, isGuest: owner.isGuest }
      throw new SeatwiseError('UNAUTHORIZED', {
        message: 'Send your access token, too: only you know whose ticket it is',
      })
    }
    if (now() - startedAt > OWNER_MS_MAX) throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
  }
}
