import { randomUUID } from 'node:crypto'
import { type ErrorCode, SeatwiseError } from '@seatwise/domain'
import { type Outside, type PlaceState, type WaitFacts, WORDS, waitPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import { ownOrigin } from '../access/own-pages.ts'
import { addCookie, keepSession } from '../access/session-cookie.ts'
import { readEventId } from '../events/event-id.ts'
import type { App } from '../http-server.ts'
import type { Room, TicketClaims } from '../room/room.ts'
import { joinLine } from '../room/routes/join-line.ts'
import { actOf } from '../room/routes/room-address.ts'
import { ticketCookie } from '../room/routes/ticket-cookie.ts'
import { HANDOVER_MS } from '../room/tokens/handover-code.ts'
import { formOf } from './forms.ts'
import { ownPath } from './own-path.ts'
import { queryOf } from './page-kit.ts'
import { brandOf, forPeople, type PageParts, readPageEvent } from './page-parts.ts'
import { describePlace, placeOf, ticketOfVisitor } from './ticket-of-visitor.ts'

type IdRequest = FastifyRequest<{ Params: { id: string } }>

/** A waiting page: of an event, or of a room that protects another site. */
interface Hall {
  readonly kind: 'event' | 'room'
  /** As cookies and addresses name it. */
  readonly id: string
  readonly room: Room
  readonly name: string
}

/** The waiting page and its buttons, which are forms: without a script each of them answers with the page again. */
export function waitPages(app: App, parts: PageParts): void {
  waitPagesOf(app, parts, 'event', (id) => eventHall(parts, id))
  waitPagesOf(app, parts, 'room', (id) => roomHall(parts, id))
}

async function eventHall(parts: PageParts, given: string): Promise<Hall> {
  const id = readEventId(given)
  const [room, event] = await Promise.all([parts.rooms.ofEvent(id), readPageEvent(parts, id)])
  return { kind: 'event', id, room, name: event.name }
}

async function roomHall({ rooms }: PageParts, given: string): Promise<Hall> {
  const room = await rooms.byId(given)
  return { kind: 'room', id: room.id, room, name: room.row.name }
}

function waitPagesOf(app: App, parts: PageParts, kind: Hall['kind'], find: (id: string) => Promise<Hall>): void {
  const path = `/${kind}s/:id/wait`
  app.get(path, forPeople, async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    return await showPlace(parts, request, reply, hall, await arrive(parts, request, reply, hall))
  })
  app.post(`${path}/join`, forPeople, async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    const place = await join(parts, request, reply, hall)
    return place.status === 'outside' ? await showPlace(parts, request, reply, hall, place) : back(request, reply)
  })
  app.post(`${path}/claim`, forPeople, async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    const claimed = await hall.room.claim(requireTicket(parts, request, hall))
    return claimed.status === 'active' && kind === 'event'
      ? reply.redirect(`/events/${hall.id}/seats`, 303)
      : back(request, reply)
  })
  app.post(`${path}/leave`, forPeople, async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    const ticket = requireTicket(parts, request, hall)
    await hall.room.end({ ...actOf(ticket), as: 'cancelled', operation: randomUUID() })
    return back(request, reply)
  })
  app.post(`${path}/extend`, forPeople, async (request: IdRequest, reply) => {
    const { room, ...hall } = await find(request.params.id)
    const ticket = requireTicket(parts, request, { room, ...hall })
    await room.extend({ ...actOf(ticket), byMs: room.settings.sessionSeconds * 1000, operation: randomUUID() })
    const { next } = formOf(request)
    return next === undefined ? back(request, reply) : reply.redirect(ownPath(next), 303)
  })
  app.post(`${path}/hand-over`, forPeople, async (request: IdRequest, reply) => {
    const hall = await find(request.params.id)
    const ticket = requireTicket(parts, request, hall)
    const place = await placeOf(parts, hall.room, ticket)
    return await showPlace(parts, request, reply, hall, place, drawCode(parts, request, hall, ticket))
  })
}

/** Back to the page that the form was on, so that reloading it sends nothing again. */
function back(request: IdRequest, reply: FastifyReply): FastifyReply {
  const [path = '/', query] = (request.raw.url ?? '/').split('?', 2)
  return reply.redirect(path.replace(/\/[a-z-]+$/, '') + (query === undefined ? '' : `?${query}`), 303)
}

function requireTicket(parts: PageParts, request: IdRequest, { room, id }: Hall): TicketClaims {
  const ticket = ticketOfVisitor(parts, request, room, id)
  if (ticket === null) throw new SeatwiseError('BAD_TICKET')
  return ticket
}

/** Whoever comes with a place finds it; whoever comes without one joins, unless only their browser's curiosity came. */
async function arrive(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  hall: Hall,
): Promise<PlaceState | Outside> {
  const ticket = ticketOfVisitor(parts, request, hall.room, hall.id)
  if (ticket !== null) return await placeOf(parts, hall.room, ticket)
  if (/prefetch|prerender/.test(String(request.headers['sec-purpose'] ?? ''))) return { status: 'outside', why: 'open' }
  return await join(parts, request, reply, hall)
}

async function join(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  { room, id, kind }: Hall,
): Promise<PlaceState | Outside> {
  const visitor = { actor: request.actor, address: request.ip, userAgent: request.headers['user-agent'] ?? null }
  try {
    const { view, identity, guest } = await joinLine(parts, room, visitor, {})
    const token = parts.roomTokens.tickets.issue({ ...view, identity, room: room.id })
    for (const name of kind === 'event' ? [id, room.id] : [id]) {
      addCookie(reply, ticketCookie(parts.config, request, name, token))
    }
    if (guest !== null) keepSession(parts.config, request, reply, guest)
    return await describePlace(parts, room, { view, exact: true })
  } catch (error) {
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
  handOver: string | null = null,
): Promise<FastifyReply> {
  const facts = factsOf(parts, request, hall)
  const shown = place.status === 'active' ? { ...place, activeToken: '' } : place
  const brand = await brandOf(parts, hall.room.id)
  const page = waitPage({ facts, place: shown, brand, handOver, notice: null, now: parts.now() })
  return parts.kit.send(request, reply, page)
}

function factsOf({ kit }: PageParts, request: IdRequest, { kind, id, room, name }: Hall): WaitFacts {
  const language = kit.languageOf(request)
  const { opensAt } = room.row
  return {
    ...{ language, words: WORDS[language].wait, kind, id, name },
    opensAt: opensAt === null ? null : opensAt.getTime(),
    seatsPerBuyerMax: room.settings.maxSeatsPerBuyer,
    keepsLine: room.settings.keepLineWhenSoldOut,
    to: queryOf(request, 'to') ?? null,
  }
}

/** The code that takes the place to another device, behind a `#`: browsers do not send what stands there. */
function drawCode(parts: PageParts, request: IdRequest, { kind, id }: Hall, ticket: TicketClaims): string {
  const code = parts.roomTokens.handovers.issue(ticket, parts.now() + HANDOVER_MS)
  return renderSVG(`${ownOrigin(parts.config, request)}/handover#${kind}/${id}/${code}`, { ecc: 'L', border: 3 })
}
