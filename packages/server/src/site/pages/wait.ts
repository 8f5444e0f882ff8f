import { randomUUID } from 'node:crypto'
import { type ErrorCode, SeatwiseError } from '@seatwise/domain'
import { type HandOver, type Outside, type PlaceState, type WaitFacts, WORDS, waitPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { renderSVG } from 'uqr'
import { readEventId } from '../../box-office/index.ts'
import { type App, isDeliberateVisit, ownOrigin } from '../../http/index.ts'
import { keepSession } from '../../identity/index.ts'
import {
  actOf,
  giveCode,
  isHandedOver,
  joinLine,
  keepTickets,
  type Room,
  type TicketClaims,
} from '../../rooms/index.ts'
import { ButtonForm, formOf, NextField } from './forms.ts'
import { ownPath } from './own-path.ts'
import { queryOf } from './page-kit.ts'
import { brandOf, inSale, type PageParts, readPageEvent, takingForm } from './page-parts.ts'
import { describePlace, movedPlace, placeOf, ticketOfVisitor } from './ticket-of-visitor.ts'

type IdRequest = FastifyRequest<{ Params: { id: string } }>

const ExtendForm = formOf({ next: NextField })
type ExtendRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof ExtendForm> }>

/** A waiting page: of an event, or of a room that protects another site. */
export interface Hall {
  readonly kind: 'event' | 'room'
  /** As cookies and addresses name it. */
  readonly id: string
  readonly room: Room
  readonly name: string
  /** When it opens, and the time zone in which that is shown. */
  readonly opensAt: Date | null
  readonly timeZone: string | null
}

/** The waiting page and its buttons, which are forms: without a script each of them answers with the page again. */
export function waitPages(app: App, parts: PageParts): void {
  waitPagesOf(app, parts, 'event', (id) => eventHall(parts, id))
  waitPagesOf(app, parts, 'room', (id) => roomHall(parts, id))
}

export async function eventHall(parts: PageParts, given: string): Promise<Hall> {
  const id = readEventId(given)
  const [room, event] = await Promise.all([parts.rooms.ofEvent(id), readPageEvent(parts, id)])
  const { name, salesStartAt: opensAt, timeZone } = event
  return { kind: 'event', id, room, name, opensAt, timeZone }
}

export async function roomHall({ rooms }: PageParts, given: string): Promise<Hall> {
  const room = await rooms.byId(given)
  return { kind: 'room', id: room.id, room, name: room.row.name, opensAt: null, timeZone: null }
}

function waitPagesOf(app: App, parts: PageParts, kind: Hall['kind'], find: (id: string) => Promise<Hall>): void {
  const path = `/${kind}s/:id/wait`
  app.get(path, inSale('path'), async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    return await showPlace(parts, request, reply, hall, await arrive(parts, request, reply, hall))
  })
  app.post(`${path}/join`, takingForm(ButtonForm), async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    const place =
      (await takenBack(parts, request, hall)) ?? (await join(parts, request, reply, hall, { takesBack: true }))
    return place.status === 'outside' ? await showPlace(parts, request, reply, hall, place) : back(request, reply)
  })
  app.post(`${path}/claim`, takingForm(ButtonForm), async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    const entered = await hall.room.enter(requireTicket(parts, request, hall))
    return entered.status === 'active' && kind === 'event'
      ? reply.redirect(`/events/${hall.id}/seats`, 303)
      : back(request, reply)
  })
  app.post(`${path}/leave`, takingForm(ButtonForm), async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    const ticket = requireTicket(parts, request, hall)
    await hall.room.end({ ...actOf(ticket), as: 'cancelled', operation: randomUUID() })
    return back(request, reply)
  })
  app.post(`${path}/extend`, takingForm(ExtendForm), async (request: ExtendRequest, reply) => {
    const { room, ...hall } = await find(request.params.id)
    const ticket = requireTicket(parts, request, { room, ...hall })
    await room.extend({ ...actOf(ticket), byMs: room.settings.sessionSeconds * 1000, operation: randomUUID() })
    const { next } = request.body
    return next === undefined ? back(request, reply) : reply.redirect(ownPath(next), 303)
  })
  app.post(`${path}/hand-over`, takingForm(ButtonForm), async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    const ticket = requireTicket(parts, request, hall)
    const handOver = await drawCode(parts, request, hall, ticket)
    return await showPlace(parts, request, reply, hall, await placeOf(parts, hall.room, ticket), handOver)
  })
}

/**
 * The place that this device had taken over and the owner took back; a button for the old place must not join as a new
 * visitor.
 */
async function takenBack(parts: PageParts, request: IdRequest, { room }: Hall): Promise<PlaceState | null> {
  const ticket = ticketOfVisitor(parts, request, room)
  if (request.actor !== null || ticket === null || !isHandedOver(ticket)) return null
  const place = await placeOf(parts, room, ticket)
  return place.status === 'moved' ? place : null
}

/** Back to the page of the form, so that reloading it submits nothing again. */
function back(request: IdRequest, reply: FastifyReply): FastifyReply {
  const [path = '/', query] = (request.raw.url ?? '/').split('?', 2)
  const page = path.replace(/\/[a-z-]+$/, '') + (query === undefined ? '' : `?${query}`)
  return reply.redirect(ownPath(page), 303)
}

function requireTicket(parts: PageParts, request: IdRequest, { room }: Hall): TicketClaims {
  const ticket = ticketOfVisitor(parts, request, room)
  if (ticket === null) throw new SeatwiseError('BAD_TICKET')
  return ticket
}

/** A visitor with a place gets it. Without one they join by opening the page deliberately, or else by its button. */
async function arrive(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  hall: Hall,
): Promise<PlaceState | Outside> {
  const ticket = ticketOfVisitor(parts, request, hall.room)
  if (ticket !== null) return await placeOf(parts, hall.room, ticket)
  return isDeliberateVisit(request)
    ? await join(parts, request, reply, hall, { takesBack: false })
    : await lookIn(request, hall.room)
}

/** What joining would answer, as far as it can be known without issuing a ticket. */
async function lookIn({ actor }: IdRequest, room: Room): Promise<Outside> {
  const { guests, keepLineWhenSoldOut } = room.settings
  if (!guests && (actor === null || actor.role === 'guest')) return { status: 'outside', why: 'sign_in' }
  const { phase } = (await room.now()).document
  if (phase === 'before' || phase === 'ended') return { status: 'outside', why: phase }
  return { status: 'outside', why: phase === 'sold_out' && !keepLineWhenSoldOut ? 'sold_out' : 'open' }
}

async function join(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  { room }: Hall,
  how: { takesBack: boolean },
): Promise<PlaceState | Outside> {
  const visitor = { actor: request.actor, address: request.ip, userAgent: request.headers['user-agent'] ?? null }
  try {
    const { view, identity, guest } = await joinLine(parts, room, visitor, {}, how)
    const token = parts.roomTokens.tickets.issue({ ...view, identity, room: room.id })
    keepTickets(parts, { request, reply }, [{ token, room: room.id }])
    if (guest !== null) keepSession(parts.config, request, reply, guest)
    return await describePlace(parts, room, { view, exact: true })
  } catch (error) {
    if (error instanceof SeatwiseError && error.code === 'TICKET_MOVED') return await movedPlace(room)
    const why = error instanceof SeatwiseError ? OUTSIDE[error.code] : undefined
    if (why === undefined) throw error
    return { status: 'outside', why }
  }
}

const OUTSIDE: Partial<Record<ErrorCode, Outside['why']>> = {
  SALES_NOT_STARTED: 'before',
  SALES_ENDED: 'ended',
  SOLD_OUT: 'sold_out',
  UNAUTHORIZED: 'sign_in',
  GUESTS_NOT_ALLOWED: 'sign_in',
  QUEUE_FULL: 'full',
  TOO_MANY_GUESTS: 'guests',
}

async function showPlace(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  hall: Hall,
  place: PlaceState | Outside,
  handOver: HandOver | null = null,
): Promise<FastifyReply> {
  const facts = factsOf(parts, request, hall)
  const shown = place.status === 'active' ? { ...place, activeToken: '' } : place
  const brand = await brandOf(parts, hall.room.id)
  const page = waitPage({ facts, place: shown, brand, handOver, notice: null, now: parts.now() })
  return parts.kit.send(request, reply, page)
}

function factsOf({ kit }: PageParts, request: IdRequest, hall: Hall): WaitFacts {
  const { kind, id, room, name, opensAt, timeZone } = hall
  const language = kit.languageOf(request)
  return {
    ...{ language, words: WORDS[language].wait, kind, id, name },
    opensAt: opensAt === null ? null : opensAt.getTime(),
    timeZone,
    seatsPerBuyerMax: room.settings.maxSeatsPerBuyer,
    keepsLine: room.settings.keepLineWhenSoldOut,
    to: queryOf(request, 'to') ?? null,
  }
}

/** The link has the code in its fragment, after `#`: browsers do not send that part to the server. */
async function drawCode(
  parts: PageParts,
  request: IdRequest,
  { kind, id, room }: Hall,
  ticket: TicketClaims,
): Promise<HandOver> {
  const { code } = await giveCode(parts, room, ticket, request.actor)
  const page = `${ownOrigin(parts.config, request)}/${kind}s/${id}/handover`
  const link = `${page}#${code}`
  return { code, page, link, drawing: renderSVG(link, { ecc: 'L', border: 3 }) }
}
