import { randomUUID } from 'node:crypto'
import { type EventBody, readEventDraft, type SaleEvent } from '@seatwise/domain'
import { createEvent as writeEvent } from '@seatwise/ledger'
import { hostOf } from '../../rooms/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import type { EventReads } from './event-reads.ts'

/** Creates an event that belongs to this organiser; with null, only admins may edit it. */
export async function createEvent(
  { config, ledger }: Pick<BoxOfficeServices, 'config' | 'ledger'>,
  body: EventBody,
  organizerId: string | null,
  reads?: EventReads,
): Promise<SaleEvent> {
  const draft = readEventDraft(body)
  const event = await writeEvent(ledger.db, { draft, organizerId, newId: randomUUID, logHost: hostOf(config) })
  reads?.forget(event.id)
  return event
}
