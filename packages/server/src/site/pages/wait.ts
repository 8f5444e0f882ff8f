import { randomUUID } from 'node:crypto'
import { type ErrorCode, type Host, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import {
  type GroupVerdict,
  type HandOver,
  type Outside,
  type PlaceState,
  type WaitFacts,
  WORDS,
  waitPage,
} from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { renderSVG } from 'uqr'
import { readEventId } from '../../box-office/index.ts'
import { sendsMail } from '../../config/index.ts'
import { type App, isDeliberateVisit, ownOrigin } from '../../http/index.ts'
import { keepSession } from '../../identity/index.ts'
import {
  actOf,
  appealFromDevice,
  createIssuer,
  giveCode,
  isHandedOver,
  joinLine,
  keepTickets,
  ownNumber,
  type Room,
  sendReturnPage,
  type TicketClaims,
} from '../../rooms/index.ts'
import { appliedCode, keptCode, readVerdict, verdictOf, wishesOf } from './event-code.ts'
import { ButtonForm, formOf, NextField } from './forms.ts'
import { ownPath } from './own-path.ts'
import { queryOf } from './page-kit.ts'
import { brandOf, inSale, type PageParts, readPageEvent, takingForm } from './page-parts.ts'
import { describePlace, movedPlace, placeOf, ticketOfVisitor } from './ticket-of-visitor.ts'
import { askForMail } from './turn-mail.ts'
import { lookIn } from './waiting/look-in.ts'
import { outsideOf } from './waiting/outside-of.ts'
import { passOn } from './waiting/pass-on.ts'
import { groupVerdictOf, inviteOthers, type ShownBeside, togetherFacts } from './waiting/wait-together.ts'

type IdRequest = FastifyRequest<{ Params: { id: string } }>

/** A wait instead of a proof, from the page of a visitor without a script. */
const JoinForm = formOf({
  waited: Type.Optional(Type.String({ maxLength: 100 })),
  invitation: Type.Optional(Type.String({ maxLength: 40 })),
})
const GROUP_CODE_MAX = 40
const GroupForm = formOf({ group: Type.String({ maxLength: GROUP_CODE_MAX }) })
type GroupRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof GroupForm> }>

type JoinRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof JoinForm> }>

const TurnMailForm = formOf({ email: Type.String({ maxLength: 254 }) })
type TurnMailRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof TurnMailForm> }>

const ExtendForm = formOf({ next: NextField })
type ExtendRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof ExtendForm> }>

/** A waiting page: of an event, or of a room that protects another site. */
export interface Hall {
  readonly kind: 'event' | 'room'
  /** As cookies and addresses name it. */
  readonly id: string
  readonly room: Room
  readonly name: string
  readonly host?: Host
  readonly event: SaleEvent | null
  /** When it opens, and the time zone in which that is shown. */
  readonly opensAt: Date | null
  readonly timeZone: string | null
}

type FindHall = (request: IdRequest) => Promise<Hall>

/** The waiting page and its buttons, which are forms: without a script each of them answers with the page again. */
export function waitPages(app: App, parts: PageParts): void {
  waitPagesOf(app, parts, 'event', (request) => eventHall(parts, request))
  waitPagesOf(app, parts, 'room', (request) => roomHall(parts, request))
}

export async function eventHall(parts: PageParts, request: IdRequest): Promise<Hall> {
  const id = readEventId(request.params.id)
  const [room, event] = await Promise.all([parts.rooms.ofEvent(id), readPageEvent(parts, request, id)])
  const { name, organizer: host, salesStartAt: opensAt, timeZone } = event
  return { kind: 'event', id, room, name, host, event, opensAt, timeZone }
}

export async function roomHall({ rooms }: PageParts, request: IdRequest): Promise<Hall> {
  const room = await rooms.byId(request.params.id)
  return {
    kind: 'room',
    id: room.id,
    room,
    name: room.row.name,
    event: null,
    opensAt: room.row.opensAt,
    timeZone: null,
  }
}

function waitPagesOf(app: App, parts: PageParts, kind: Hall['kind'], find: FindHall): void {
  const path = `/${kind}s/:id/wait`
  const issue = createIssuer(parts)
  app.get(path, inSale('path'), async (request: IdRequest, reply) => {
    const hall = await find(request)
    const asked = queryOf(request, 'group')?.slice(0, GROUP_CODE_MAX)
    const typed = asked ?? ''
    const { place, verdict, joined } = await arrive(parts, request, reply, hall, typed)
    const entrance = joined === null ? null : await passOn(issue, hall, joined, queryOf(request, 'to') ?? null)
    if (entrance !== null) return sendReturnPage(reply.header('cache-control', 'no-store'), entrance)
    return await showPlace(parts, request, reply, hall, place, {
      asked: { typed, verdict, isOpen: asked !== undefined },
    })
  })
  app.post(`${path}/join`, takingForm(JoinForm), async (request: JoinRequest, reply) => {
    const hall = await find(request)
    const place =
      (await takenBack(parts, request, hall)) ??
      (await join(parts, request, reply, hall, { takesBack: true, ...request.body })).place
    return place.status === 'outside' ? await showPlace(parts, request, reply, hall, place) : back(request, reply)
  })
  app.post(`${path}/claim`, takingForm(ButtonForm), async (request: IdRequest, reply) => {
    const hall = await find(request)
    const entered = await hall.room.enter(requireTicket(parts, request, hall))
    return entered.status === 'active' && kind === 'event'
      ? reply.redirect(`/events/${hall.id}/seats`, 303)
      : back(request, reply)
  })
  app.post(`${path}/leave`, takingForm(ButtonForm), async (request: IdRequest, reply) => {
    const hall = await find(request)
    const ticket = requireTicket(parts, request, hall)
    await hall.room.end({ ...actOf(ticket), as: 'cancelled', operation: randomUUID() })
    return back(request, reply)
  })
  app.post(`${path}/extend`, takingForm(ExtendForm), async (request: ExtendRequest, reply) => {
    const { room, ...hall } = await find(request)
    const ticket = requireTicket(parts, request, { room, ...hall })
    await room.extend({ ...actOf(ticket), byMs: room.settings.sessionSeconds * 1000, operation: randomUUID() })
    const { next } = request.body
    return next === undefined ? back(request, reply) : reply.redirect(ownPath(next), 303)
  })
  app.post(`${path}/appeal`, takingForm(ButtonForm), async (request: IdRequest, reply) => {
    const { room } = await find(request)
    await appealFromDevice(parts, request, room)
    return back(request, reply)
  })
  app.post(`${path}/mail`, takingForm(TurnMailForm), async (request: TurnMailRequest, reply) => {
    const hall = await find(request)
    const ticket = requireTicket(parts, request, hall)
    const problem = await askForMail(
      parts,
      request,
      { roomId: hall.room.id, number: ticket.number },
      request.body.email,
    )
    if (problem === null) return back(request, reply, { mail: 'asked' })
    const place = await placeOf(parts, hall.room, ticket)
    return await showPlace(parts, request, reply, hall, place, { problem })
  })
  groupForms(app, parts, path, find)
  app.post(`${path}/hand-over`, takingForm(ButtonForm), async (request: IdRequest, reply) => {
    const hall = await find(request)
    const ticket = requireTicket(parts, request, hall)
    const handOver = await drawCode(parts, request, hall, ticket)
    return await showPlace(parts, request, reply, hall, await placeOf(parts, hall.room, ticket), { handOver })
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
function back(request: IdRequest, reply: FastifyReply, more: Record<string, string> = {}): FastifyReply {
  const [path = '/', query = ''] = (request.raw.url ?? '/').split('?', 2)
  const said = [query, new URLSearchParams(more).toString()].filter((part) => part !== '').join('&')
  const page = path.replace(/\/[a-z-]+$/, '') + (said === '' ? '' : `?${said}`)
  return reply.redirect(ownPath(page), 303)
}

function requireTicket(parts: PageParts, request: IdRequest, { room }: Hall): TicketClaims {
  const ticket = ticketOfVisitor(parts, request, room)
  if (ticket === null) throw new SeatwiseError('BAD_TICKET')
  return ticket
}

function groupForms(app: App, parts: PageParts, path: string, find: FindHall): void {
  app.post(`${path}/invite`, takingForm(ButtonForm), async (request: IdRequest, reply) => {
    const hall = await find(request)
    const ticket = requireTicket(parts, request, hall)
    const place = await placeOf(parts, hall.room, ticket)
    return await showPlace(parts, request, reply, hall, place, {
      asked: await inviteOthers(parts, request, hall, ticket),
    })
  })
  app.post(`${path}/group`, takingForm(GroupForm), async (request: GroupRequest, reply) => {
    const hall = await find(request)
    const typed = request.body.group
    const { place, verdict } = await joinGroup(parts, request, reply, hall, typed)
    if (verdict === null && place.status !== 'outside') return back(request, reply)
    return await showPlace(parts, request, reply, hall, place, { asked: { typed, verdict, isOpen: true } })
  })
}

interface Arrived {
  readonly place: PlaceState | Outside
  /** Why the visitor does not stand with the group of the code. */
  readonly verdict: GroupVerdict | null
  /** The ticket, if it is this visit that has it from now on. */
  readonly joined: TicketClaims | null
}

/**
 * A visitor with a place gets it. Without one they join by opening the page deliberately, or else by its button. Only a
 * visitor without a place joins a group by its link: another one might lose a better place.
 */
async function arrive(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  hall: Hall,
  group: string,
): Promise<Arrived> {
  const ticket = ticketOfVisitor(parts, request, hall.room)
  if (ticket !== null) return { place: await placeOf(parts, hall.room, ticket), verdict: null, joined: null }
  if (isDeliberateVisit(request)) return await joinGroup(parts, request, reply, hall, group)
  const place = await lookIn(request, hall.room, keptCode(parts, request, hall.id) !== null)
  return { place, verdict: null, joined: null }
}

/** Joins with the code of a group, if there is one; a visitor whom the group does not take gets to know why. */
async function joinGroup(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  hall: Hall,
  typed: string,
): Promise<Arrived> {
  const group = typed === '' ? {} : { group: typed }
  try {
    const how = { takesBack: false, waited: queryOf(request, 'waited'), ...group }
    return { ...(await join(parts, request, reply, hall, how)), verdict: null }
  } catch (error) {
    const verdict = typed === '' ? null : groupVerdictOf(error)
    if (verdict === null) throw error
    const ticket = ticketOfVisitor(parts, request, hall.room)
    const hasCode = keptCode(parts, request, hall.id) !== null
    const place = ticket === null ? await lookIn(request, hall.room, hasCode) : await placeOf(parts, hall.room, ticket)
    return { place, verdict, joined: null }
  }
}

interface JoinHow {
  readonly takesBack: boolean
  readonly waited?: string | undefined
  /** As it was typed. */
  readonly invitation?: string | undefined
  /** The code of a group to stand together with. */
  readonly group?: string
}

async function join(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  { room }: Hall,
  how: JoinHow,
): Promise<Omit<Arrived, 'verdict'>> {
  const { devices } = parts.roomTokens
  const userAgent = request.headers['user-agent'] ?? null
  const device = devices.read(parts.config, request)
  const visitor = { actor: request.actor, address: request.ip, userAgent, device }
  try {
    const { view, identity, guest, drawn } = await joinWithCode(parts, request, room, visitor, how)
    const joined = { ...view, number: ownNumber(view), identity, room: room.id }
    const token = parts.roomTokens.tickets.issue(joined)
    keepTickets(parts, { request, reply }, [{ token, room: room.id }])
    if (drawn !== null) devices.keep(parts.config, { request, reply }, drawn)
    if (guest !== null) keepSession(parts.config, request, reply, guest)
    return { place: await describePlace(parts, room, { view, exact: true }), joined }
  } catch (error) {
    if (error instanceof SeatwiseError && error.code === 'TICKET_MOVED') return outside(await movedPlace(room))
    const refused = outsideOf(parts, request, room, error, how)
    if (refused === null) throw error
    return outside(refused)
  }
}

const outside = (place: PlaceState | Outside) => ({ place, joined: null })

/** With the code that the browser keeps; if that does not count any more, without it. */
async function joinWithCode(
  parts: PageParts,
  request: IdRequest,
  room: Room,
  visitor: Parameters<typeof joinLine>[2],
  how: JoinHow,
): ReturnType<typeof joinLine> {
  const { eventId } = room.row
  const text = eventId === null ? null : keptCode(parts, request, eventId)
  const invitation = how.invitation?.trim() ?? ''
  const waited = {
    ...(how.waited === undefined ? {} : { wait: how.waited }),
    ...(invitation === '' ? {} : { invitation }),
    ...(how.group === undefined ? {} : { group: how.group }),
  }
  try {
    return await joinLine(parts, room, visitor, { ...wishesOf(text, room.isPresale), ...waited }, how)
  } catch (error) {
    const isAboutCode = error instanceof SeatwiseError && (BAD_CODES.has(error.code) || verdictOf(error) !== null)
    if (text === null || !isAboutCode) throw error
    return await joinLine(parts, room, visitor, waited, how)
  }
}

/** Of priority codes: wrong, or another ticket has used it. */
const BAD_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['BAD_CODE', 'CODE_USED'])

async function showPlace(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  hall: Hall,
  place: PlaceState | Outside,
  { handOver = null, problem = null, asked = {} }: ShownBeside = {},
): Promise<FastifyReply> {
  const facts = factsOf(parts, request, hall)
  const shown = place.status === 'active' ? { ...place, activeToken: '' } : place
  const brand = await brandOf(parts, hall.room.id)
  const code = await codeOf(parts, request, hall)
  const host = hall.host === undefined ? {} : { host: hall.host }
  const { event } = hall
  // Whether it was asked for stands in the address: this page asks the ledger nothing that most visitors have not.
  const turnMail = sendsMail(parts.config) ? { isAsked: queryOf(request, 'mail') === 'asked', problem } : null
  const isGuest = request.actor === null || request.actor.role === 'guest'
  const isConcerned = place.status === 'waiting' || (asked.verdict ?? null) !== null
  const together = isConcerned ? togetherFacts(hall.room, asked) : null
  const more = { event, handOver, notice: null, turnMail, isGuest, together, code, now: parts.now() }
  const page = waitPage({ facts, place: shown, brand, ...host, ...more })
  if (place.status !== 'outside' || place.why !== 'rush') {
    return parts.kit.send(request, reply, page, problem === null ? 200 : 422)
  }
  reply.header('retry-after', place.retrySeconds ?? 1)
  return parts.kit.send(request, reply, page, 503)
}

async function codeOf(parts: PageParts, request: IdRequest, { kind, id }: Hall) {
  if (kind === 'room') return null
  // Most visitors have none: the waiting page asks the ledger for nothing then.
  const hasCode = keptCode(parts, request, id) !== null
  const applied = hasCode ? await appliedCode(parts, request, await readPageEvent(parts, request, id)) : null
  return { applied, verdict: readVerdict(request) }
}

function factsOf({ kit, config }: PageParts, request: IdRequest, hall: Hall): WaitFacts {
  const { kind, id, room, name, opensAt, timeZone } = hall
  const language = kit.languageOf(request)
  return {
    ...{ language, words: WORDS[language].wait, kind, id, name },
    opensAt: opensAt === null ? null : opensAt.getTime(),
    timeZone,
    seatsPerBuyerMax: room.settings.maxSeatsPerBuyer,
    awaySeconds: room.settings.awaySeconds,
    keepsLine: room.settings.keepLineWhenSoldOut,
    hasReturns: kind === 'event' && sendsMail(config),
    isDrawn: room.settings.draw !== 'none',
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
