import { randomUUID } from 'node:crypto'
import { badField, type EventEditBody, requireInstant, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { editEvent as changeEvent } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import type { EventReads } from './event-reads.ts'

/** Changes an event, and tells its room what it has to know. */
export async function editEvent(
  { ledger, rooms }: Pick<BoxOfficeServices, 'ledger' | 'rooms'>,
  reads: EventReads,
  edit: { eventId: string; body: EventEditBody; actor: Actor },
): Promise<SaleEvent> {
  const { eventId, body, actor } = edit
  if (body.salesStartAt !== undefined) await moveStart(rooms, edit, body.salesStartAt)
  const edited = { eventId, body, by: actor.id, newId: randomUUID }
  const outcome = await changeEvent(ledger, edited).catch(async (error: unknown) => {
    await leaveStart(rooms, edit)
    throw error
  })
  if (outcome.status !== 'edited') await leaveStart(rooms, edit)
  switch (outcome.status) {
    case 'edited':
      reads.forget(eventId)
      if (touchesTheSale(body)) await rooms.saleChanged(eventId, actor.id)
      return outcome.event
    case 'unknown':
      throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
    case 'conflict':
      throw new SeatwiseError('SALE_CONFLICT', { message: outcome.reason, details: outcome.details ?? {} })
  }
}

/** The line may refuse another start, so it is asked first. */
async function moveStart(
  rooms: BoxOfficeServices['rooms'],
  { eventId, body, actor }: { eventId: string; body: EventEditBody; actor: Actor },
  salesStartAt: string,
): Promise<void> {
  const at = requireInstant('salesStartAt', salesStartAt)
  const { settings } = (await rooms.ofEvent(eventId)).row
  if (body.presaleStartAt != null && settings.draw !== 'none') {
    throw badField('presaleStartAt', 'cannot be together with a draw')
  }
  await rooms.moveStart(eventId, at, actor.id)
}

/** The ledger refused an edit that moved the start of the line: it is told the ledger's again. */
async function leaveStart(
  rooms: BoxOfficeServices['rooms'],
  { eventId, body, actor }: { eventId: string; body: EventEditBody; actor: Actor },
): Promise<void> {
  if (body.salesStartAt !== undefined) await rooms.saleChanged(eventId, actor.id)
}

/** The line decides by the sale window and the stock, so it needs these changes. */
function touchesTheSale(body: EventEditBody): boolean {
  const { presaleStartAt, salesStartAt, salesEndAt, totalSeats, seatTypes, state } = body
  return [presaleStartAt, salesStartAt, salesEndAt, totalSeats, seatTypes, state].some((change) => change !== undefined)
}
