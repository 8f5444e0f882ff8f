import { randomUUID } from 'node:crypto'
import { type EventBody, readEventDraft, type SaleEvent } from '@seatwise/domain'
import { createEvent as writeEvent } from '@seatwise/ledger'
import { type Actor, accountOf } from '../../http/index.ts'
import { chooseOrganization } from '../../identity/index.ts'
import { hostOf } from '../../rooms/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import type { EventReads } from './event-reads.ts'

/** Creates an event of an organization: of the named one, or of the first that the actor may create events for. */
export async function createEvent(
  { config, ledger }: Pick<BoxOfficeServices, 'config' | 'ledger'>,
  { organizationId: asked, ...body }: EventBody & { readonly organizationId?: string },
  actor: Actor,
  reads?: EventReads,
): Promise<SaleEvent> {
  const draft = readEventDraft(body)
  const organizationId = await chooseOrganization(ledger, actor, 'event', asked)
  const of = { organizationId, organizerId: accountOf(actor), by: actor.id }
  const event = await writeEvent(ledger.db, { draft, ...of, newId: randomUUID, logHost: hostOf(config) })
  reads?.forget(event.id)
  return event
}
