import { randomUUID } from 'node:crypto'
import { badField, type EventEditBody, requireInstant, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { editEvent as changeEvent } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import type { EventReads } from './event-reads.ts'
import { lockPrices } from './lock-prices.ts'

/** Edits of prices that meet each other; more at once are not asked for by people. */
const TRIES_MAX = 3

/** Changes an event, and tells its room what it has to know. */
export async function editEvent(
  parts: Pick<BoxOfficeServices, 'ledger' | 'rooms' | 'log'>,
  reads: EventReads,
  edit: { eventId: string; body: EventEditBody; actor: Actor },
): Promise<SaleEvent> {
  for (let tries = 1; ; tries++) {
    const edited = await tryToEdit(parts, reads, edit)
    if (edited !== null) return edited
    if (tries === TRIES_MAX) throw new SeatwiseError('SALE_CONFLICT', { message: 'Other edits change the prices' })
  }
}

/** Null when the prices have changed since they were judged. */
async function tryToEdit(
  parts: Pick<BoxOfficeServices, 'ledger' | 'rooms' | 'log'>,
  reads: EventReads,
  edit: { eventId: string; body: EventEditBody; actor: Actor },
): Promise<SaleEvent | null> {
  const { ledger, rooms } = parts
  const { eventId, body, actor } = edit
  if (body.salesStartAt !== undefined) await moveStart(rooms, edit, body.salesStartAt)
  const prices = await lockPrices(parts, { eventId, body, by: actor.id })
  const expects = prices === null ? {} : { expects: prices.expects }
  const outcome = await changeEvent(ledger, { eventId, body, by: actor.id, newId: randomUUID, ...expects }).catch(
    async (error: unknown) => {
      await leaveStart(rooms, edit)
      await prices?.refused()
      throw error
    },
  )
  if (outcome.status !== 'edited') {
    await leaveStart(rooms, edit)
    await prices?.refused()
  }
  switch (outcome.status) {
    case 'stale':
      return null
    case 'edited':
      reads.forget(eventId)
      await prices?.committed(outcome.event)
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
