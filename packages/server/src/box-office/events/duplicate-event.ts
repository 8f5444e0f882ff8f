import { type CheckoutBody, type EventBody, type SaleEvent, type SeatType, SeatwiseError } from '@seatwise/domain'
import { readEvent } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { createEvent } from './create-event.ts'
import type { EventReads } from './event-reads.ts'

/**
 * Makes a draft that is like another event of the same organization: its facts, prices, plan, questions and room. What belongs to
 * the one sale is not copied: tickets and reservations, codes, the picture, the message to waiting visitors, and the short code.
 */
export async function duplicateEvent(
  services: Pick<BoxOfficeServices, 'config' | 'ledger'>,
  eventId: string,
  actor: Actor,
  reads?: EventReads,
): Promise<SaleEvent> {
  const event = await readEvent(services.ledger.db, eventId)
  if (event === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  const body = { ...copyOf(event), organizationId: event.organizationId }
  return await createEvent(services, body, actor, reads)
}

/** The event as it would be sent to be made anew; everything in it gets ids of its own. */
function copyOf(event: SaleEvent): EventBody {
  const { name, description, location, timeZone, ageMin, taxRate, fees, after, shapes, additionalInfo } = event
  const { message: _, paused, ...settings } = event.room
  const text = (time: Date | null): string | null => time?.toISOString() ?? null
  return {
    ...{ name, description, location, timeZone, ageMin, taxRate, fees, after, shapes, additionalInfo },
    ...{ startsAt: text(event.startsAt), endsAt: text(event.endsAt), doorsAt: text(event.doorsAt) },
    presaleStartAt: text(event.presaleStartAt),
    ...{ salesStartAt: event.salesStartAt.toISOString(), salesEndAt: event.salesEndAt.toISOString() },
    state: 'draft',
    checkout: checkoutOf(event),
    seatTypes: event.seatTypes.map(copyOfType),
    room: { ...settings, paused },
  }
}

function copyOfType(type: SeatType): NonNullable<EventBody['seatTypes']>[number] {
  const { name, description, price, currency, reservedSeating, hidden, totalQuantity, rows, area } = type
  const variants = type.variants.map((variant) => ({ name: variant.name, price: variant.price }))
  const seats = rows === null ? { totalQuantity, area } : { rows }
  return { name, description, price, currency, reservedSeating, hidden, variants, ...seats }
}

function checkoutOf({ checkout: { names, marketing, terms, questions } }: SaleEvent): CheckoutBody {
  return {
    ...{ names, marketing },
    terms: terms === null ? null : { url: terms.url, label: terms.label },
    questions: questions.map(({ id: _, choices, kind, ...question }) => ({
      ...{ ...question, kind },
      ...(kind === 'choice' ? { choices: [...choices] } : {}),
    })),
  }
}
