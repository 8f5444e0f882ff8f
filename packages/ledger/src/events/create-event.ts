import {
  type Checkout,
  type CheckoutDraft,
  type EventDraft,
  type SaleEvent,
  type SeatTypeDraft,
  storedCheckout,
  toThousandths,
  type Variant,
} from '@seatwise/domain'
import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { createSeatMap } from '../seat-map/index.ts'
import { recordAction } from '../trail/index.ts'
import { createSeats, spansOf } from './create-seats.ts'
import { readEvent } from './read-events.ts'

export interface CreateEvent {
  readonly draft: EventDraft
  /** The account that makes it; null where a program does. */
  readonly organizerId: string | null
  /** Whose it is; the house's if none is named. */
  readonly organizationId?: string
  /** Whom the trail names; without it the trail names the organizer, if there is one. */
  readonly by?: string
  readonly newId: () => string
  /** The host in the name of its room's log; without one, the first head sets it. */
  readonly logHost?: string
}

/** Writes the event, its seat types, its room and every seat, all in one transaction. */
export async function createEvent(db: Kysely<Schema>, options: CreateEvent): Promise<SaleEvent> {
  const { draft, organizerId, organizationId, newId, logHost } = options
  const by = options.by ?? organizerId
  const id = newId()
  return await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('events')
      .values({
        id,
        organizer_id: organizerId,
        ...(organizationId === undefined ? {} : { organization_id: organizationId }),
        name: draft.name,
        code: draft.code,
        description: draft.description,
        location: draft.location,
        time_zone: draft.timeZone,
        starts_at: draft.startsAt,
        ends_at: draft.endsAt,
        doors_at: draft.doorsAt,
        age_min: draft.ageMin,
        presale_start_at: draft.presaleStartAt,
        sales_start_at: draft.salesStartAt,
        sales_end_at: draft.salesEndAt,
        currency: draft.currency,
        tax_rate: toThousandths(draft.taxRate),
        fees: JSON.stringify(draft.fees),
        after: JSON.stringify(draft.after),
        shapes: JSON.stringify(draft.shapes),
        checkout: JSON.stringify(storedCheckout(withQuestionIds(draft.checkout, newId))),
        additional_info: JSON.stringify(draft.additionalInfo),
        state: draft.state,
      })
      .execute()
    await transaction
      .insertInto('rooms')
      .values({
        id: newId(),
        event_id: id,
        name: draft.name,
        settings: JSON.stringify(draft.room),
        paused: draft.paused,
        log_host: logHost,
      })
      .execute()
    await addSeatTypes(transaction, { eventId: id, types: draft.seatTypes, newId, lastPosition: 0, lastOrdinal: 0 })
    await createSeatMap(transaction, id)
    if (by !== null) {
      const after = { name: draft.name }
      await recordAction(transaction, { actorId: by, kind: 'event.created', eventId: id, after })
    }
    const event = await readEvent(transaction, id)
    if (event === null) throw new Error(`The event ${id} is gone inside the transaction that made it`)
    return event
  })
}

export interface AddSeatTypes {
  readonly eventId: string
  readonly types: readonly SeatTypeDraft[]
  readonly newId: () => string
  readonly lastPosition: number
  readonly lastOrdinal: number
}

export async function addSeatTypes(transaction: Kysely<Schema>, options: AddSeatTypes): Promise<void> {
  const { eventId, newId, lastPosition, lastOrdinal } = options
  const types = options.types.map((type) => ({ ...type, id: newId() }))
  if (types.length === 0) return
  await transaction
    .insertInto('seat_types')
    .values(
      types.map((type, index) => ({
        id: type.id,
        event_id: eventId,
        position: lastPosition + 1 + index,
        name: type.name,
        description: type.description,
        price: type.price,
        variants: JSON.stringify(withIds(type.variants, newId)),
        currency: type.currency,
        reserved_seating: type.reservedSeating,
        layout: type.rows === null ? null : JSON.stringify(type.rows),
        area: type.area === null ? null : JSON.stringify(type.area),
        hidden: type.hidden,
      })),
    )
    .execute()
  await createSeats(transaction, { eventId, spans: types.flatMap(spansOf), lastOrdinal })
}

/** New variants get their ids. */
export function withIds(variants: SeatTypeDraft['variants'], newId: () => string): Variant[] {
  return variants.map((variant) => ({ ...variant, id: variant.id ?? newId() }))
}

/** New questions get their ids. */
export function withQuestionIds(checkout: CheckoutDraft, newId: () => string): Checkout {
  return { ...checkout, questions: checkout.questions.map((question) => ({ ...question, id: question.id ?? newId() })) }
}
