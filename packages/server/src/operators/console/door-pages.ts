import { randomUUID } from 'node:crypto'
import { type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { readCashUp, readEvent } from '@seatwise/ledger'
import { consoleDoorPage, type DoorChoice, type DoorFacts, type DoorProblem, type DoorSeat } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import {
  type BoxOfficeServices,
  DoorSaleBody,
  doorPartsOf,
  KeyField,
  type Payments,
  readDoorWish,
  readEventId,
  sellAtDoor,
} from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { formOf, type PageKit, queryOf } from '../../site/index.ts'
import { quoteChoice, readChoice } from './door-choice.ts'
import { doorSoldPages } from './door-sold-pages.ts'

const hidden = { hide: true } as const
const { seatTypeId, quantity, method, email } = DoorSaleBody.properties
/** A form has one text for each field: ids with commas between them, and variants as a query. */
const DoorForm = formOf({
  ...{ seatTypeId, quantity, method, email, key: KeyField },
  seatIds: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F-]{36}(,[0-9a-fA-F-]{36}){0,999}$' })),
  variants: Type.Optional(Type.String({ maxLength: 4_000 })),
})
type DoorFields = Static<typeof DoorForm>
type IdRequest = FastifyRequest<{ Params: { id: string } }>
type SellRequest = FastifyRequest<{ Params: { id: string }; Body: DoorFields }>

/** Larger categories are not drawn: the best free seats are chosen for the seller. */
const PLAN_SEATS_MAX = 2_000

/** Selling at the door: choosing, the total, and what was sold. */
export function doorPages(app: App, services: BoxOfficeServices, kit: PageKit, payments: Payments): void {
  const parts = doorPartsOf(services, payments)
  app.get(
    '/console/events/:id/door',
    { config: { access: { act: 'sell', on: 'event' } }, schema: hidden },
    async (request: IdRequest, reply) => {
      const event = await findEvent(services, request)
      return await show(services, kit, request, reply, { event, choice: readChoice(request, event) })
    },
  )
  app.post(
    '/console/events/:id/door',
    { config: { access: { act: 'sell', on: 'event' } }, schema: { ...hidden, body: DoorForm } },
    async (request: SellRequest, reply) => {
      const event = await findEvent(services, request)
      const { key, ...fields } = request.body
      try {
        const { body } = await sellAtDoor(parts, readDoorWish(request, event.id, key, toBody(fields)))
        return reply.redirect(`/console/events/${event.id}/door/sales/${String(body.id)}`, 303)
      } catch (error) {
        const problem = problemOf(error)
        if (problem === null) throw error
        const choice: DoorChoice = {
          ...{ seatTypeId: fields.seatTypeId ?? null, quantities: [], seatIds: [] },
          ...{ method: fields.method, email: fields.email ?? '' },
        }
        const status = error instanceof SeatwiseError ? error.status : 500
        return await show(services, kit, request, reply, { event, choice, problem, status })
      }
    },
  )
  doorSoldPages(app, services, kit)
}

async function findEvent({ ledger }: BoxOfficeServices, request: IdRequest): Promise<SaleEvent> {
  const eventId = readEventId(request.params.id)
  const event = await readEvent(ledger.db, eventId)
  if (event === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  // Hidden types are sold with a code, which this page does not take.
  return { ...event, seatTypes: event.seatTypes.filter(({ hidden }) => !hidden) }
}

interface Shown {
  readonly event: SaleEvent
  readonly choice: DoorChoice
  readonly problem?: DoorProblem
  readonly status?: number
}

async function show(
  services: BoxOfficeServices,
  kit: PageKit,
  request: FastifyRequest,
  reply: FastifyReply,
  { event, choice, problem, status = 200 }: Shown,
): Promise<FastifyReply> {
  const plan = await readPlan(services, event, queryOf(request, 'plan'))
  // Without `type` the seller only looks, or changes what was chosen.
  const isAsked = problem === undefined && queryOf(request, 'type') !== undefined
  const key = queryOf(request, 'key') ?? ''
  const asked = isAsked ? quoteChoice(event, choice, plan?.seats ?? [], isUuid(key) ? key : randomUUID()) : null
  const wrong = problem ?? (asked !== null && 'code' in asked ? asked : null)
  const quote = asked !== null && 'fields' in asked ? asked : null
  const cashUp = await readToday(services, event)
  const page = consoleDoorPage(kit.languageOf(request), {
    ...{ event, choice, plan, quote, problem: wrong, cashUp },
    key: randomUUID(),
  })
  return kit.send(request, reply, page, wrong !== null && status === 200 ? 400 : status)
}

async function readToday({ ledger, now }: BoxOfficeServices, event: SaleEvent): Promise<DoorFacts['cashUp']> {
  const { id: eventId, timeZone } = event
  // The only locale that writes a date as ISO 8601 does.
  const day = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now())
  return { day, lines: await readCashUp(ledger.db, { eventId, timeZone, day }) }
}

async function readPlan(
  { ledger }: BoxOfficeServices,
  event: SaleEvent,
  typeId: string | undefined,
): Promise<DoorFacts['plan']> {
  const type = event.seatTypes.find(({ id, reservedSeating }) => id === typeId && reservedSeating)
  if (type === undefined) return null
  const rows = await ledger.db
    .selectFrom('seats')
    .select(['id', 'row_label', 'seat_number', 'status', 'accessible'])
    .where('event_id', '=', event.id)
    .where('seat_type_id', '=', type.id)
    .where('retired', '=', false)
    .orderBy('ordinal')
    .limit(PLAN_SEATS_MAX + 1)
    .execute()
  if (rows.length > PLAN_SEATS_MAX) return { seatTypeId: type.id, seats: null }
  const seats = rows.map(
    ({ id, row_label, seat_number, status, accessible }): DoorSeat => ({
      ...{ id, row: row_label ?? '', number: seat_number ?? 0, isFree: status === 'available', accessible },
    }),
  )
  return { seatTypeId: type.id, seats }
}

/** The body of the API's operation; what is not a number becomes one that the schema of variants would refuse. */
function toBody({ seatIds, variants, ...rest }: Omit<DoorFields, 'key'>): Static<typeof DoorSaleBody> {
  const listed = [...new URLSearchParams(variants ?? '')].map(([variantId, text]) => ({
    ...{ variantId, quantity: /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0 },
  }))
  if (listed.some(({ quantity }) => quantity === 0)) {
    throw new SeatwiseError('BAD_REQUEST', { details: { field: 'body/variants' } })
  }
  return {
    ...rest,
    ...(seatIds === undefined ? {} : { seatIds: seatIds.split(',') }),
    ...(listed.length === 0 ? {} : { variants: listed }),
  }
}

/** Null for what is no mistake of the seller's: the page for troubles tells of that. */
function problemOf(error: unknown): DoorProblem | null {
  if (!(error instanceof SeatwiseError)) return null
  switch (error.code) {
    case 'SEAT_TAKEN':
      return { code: 'taken' }
    case 'NOT_ENOUGH_LEFT':
      return { code: 'notEnough', count: Number(error.details.available ?? 0) }
    case 'SOLD_OUT':
      return { code: 'soldOut' }
    case 'NOT_FOUND':
      return { code: 'unknown' }
    case 'KEY_REUSED':
      return { code: 'again' }
    case 'IN_PROGRESS':
    case 'TOO_MANY_REQUESTS':
      return { code: 'busy' }
    case 'BAD_REQUEST':
      return error.details.field === 'body/email' ? { code: 'email' } : null
    default:
      return null
  }
}
