import { SeatwiseError } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { isOwnEvent } from '../events/require-own-event.ts'

/** The roles that sell at a door: staff at every one, organisers at those of their own events. */
export const SELLERS = ['staff', 'organizer', 'admin'] as const

export async function requireSeller(ledger: Ledger, eventId: string, actor: Actor): Promise<void> {
  const isOwn = await isOwnEvent(ledger, eventId, actor)
  if (isOwn === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  if (actor.role === 'organizer' && !isOwn) {
    throw new SeatwiseError('FORBIDDEN', { message: 'This event belongs to another organiser' })
  }
}
