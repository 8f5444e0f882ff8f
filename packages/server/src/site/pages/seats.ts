import { randomUUID } from 'node:crypto'
import { codeKey, EVENT_LIMITS, SeatwiseError } from '@seatwise/domain'
import { type Active, type CodeVerdict, notInsidePage, type SeatsProblem, seatsPage } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { KeyField, readEventId, readWish, WishBody } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { findKept, keptCode, readVerdict, toApplied, verdictOf, withOpened } from './event-code.ts'
import { formOf } from './forms.ts'
import { accentOf, inSale, type PageParts, readPageEvent, takingForm } from './page-parts.ts'
import { placeOf, ticketOfVisitor } from './ticket-of-visitor.ts'

type IdRequest = FastifyRequest<{ Params: { id: string } }>

const { quantity, accessible } = WishBody.properties
/** A seat type and, where it has several prices, one of them: radio buttons of one name are one choice. */
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const choice = Type.String({ pattern: `^${UUID}(?: [A-Za-z0-9_-]{1,${EVENT_LIMITS.variantIdLength}})?$` })
const BestSeatsForm = formOf({ choice, quantity, accessible, key: KeyField })
type BestSeatsRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof BestSeatsForm> }>

/** The floor: choosing seats, for admitted visitors. */
export function seatsPages(app: App, parts: PageParts): void {
  app.get('/events/:id/seats', inSale('path'), async (request: IdRequest, reply) => {
    const place = await activePlace(parts, request)
    return place === null ? await turnAway(parts, request, reply) : await show(parts, request, reply, place, {})
  })
  app.post('/events/:id/seats', takingForm(BestSeatsForm), async (request: BestSeatsRequest, reply) => {
    const place = await activePlace(parts, request)
    if (place === null || request.actor === null) return await turnAway(parts, request, reply)
    const { key, choice: chosen, ...wish } = request.body
    const [seatTypeId = '', variantId] = chosen.split(' ')
    const priced = variantId === undefined ? undefined : [{ variantId, quantity: wish.quantity ?? 1 }]
    const eventId = readEventId(request.params.id)
    const text = keptCode(parts, request, eventId)
    const isOfEvent = text !== null && codeKey(text) !== ''
    try {
      const { id } = await parts.boxOffice.reserve({
        eventId,
        actor: request.actor,
        key,
        pass: place.activeToken,
        wish: readWish({ ...wish, seatTypeId }),
        variants: priced,
        code: isOfEvent ? { text, address: parts.config.rateLimits ? request.ip : null } : undefined,
      })
      return reply.redirect(`/checkout/${id}`, 303)
    } catch (error) {
      const [problem, verdict] = [problemOf(error), verdictOf(error)]
      if (problem === null && verdict === null) throw error
      return await show(parts, request, reply, place, { problem, verdict })
    }
  })
}

async function activePlace(parts: PageParts, request: IdRequest): Promise<Active | null> {
  const id = readEventId(request.params.id)
  const room = await parts.rooms.ofEvent(id)
  const ticket = ticketOfVisitor(parts, request, room)
  const place = ticket === null ? null : await placeOf(parts, room, ticket)
  return place?.status === 'active' ? place : null
}

async function show(
  parts: PageParts,
  request: IdRequest,
  reply: FastifyReply,
  place: Active,
  { problem = null, verdict = null }: { problem?: SeatsProblem | null; verdict?: CodeVerdict | null },
): Promise<FastifyReply> {
  const known = await readPageEvent(parts, request, request.params.id)
  const code = await findKept(parts, request, known.id)
  const event = await withOpened(parts, known, code)
  const accent = await accentOf(parts, event.roomId)
  // The script asks for the pass itself: a compressed page must hold no secret that outlives it.
  const facts = {
    ...{ event, place: { ...place, activeToken: '' }, accent, key: randomUUID(), problem, now: parts.now() },
    code: code === null ? null : toApplied(code, event.seatTypes[0]?.currency ?? 'EUR'),
    verdict: verdict ?? readVerdict(request),
  }
  const page = seatsPage(parts.kit.languageOf(request), facts)
  return parts.kit.send(request, reply, page, problem === null && verdict === null ? 200 : 409)
}

async function turnAway(parts: PageParts, request: IdRequest, reply: FastifyReply): Promise<FastifyReply> {
  const event = await readPageEvent(parts, request, request.params.id)
  return parts.kit.send(request, reply, notInsidePage(parts.kit.languageOf(request), event), 403)
}

function problemOf(error: unknown): SeatsProblem | null {
  if (!(error instanceof SeatwiseError)) return null
  const count = Number(error.details.available ?? error.details.left ?? 0)
  switch (error.code) {
    case 'SEAT_TAKEN':
      return { code: 'wasTaken', count }
    case 'NOT_ENOUGH_LEFT':
      return { code: count === 0 ? 'noneNow' : 'notEnough', count }
    case 'SOLD_OUT':
      return { code: 'noneNow', count }
    case 'NO_TIME_LEFT':
      return { code: 'noTime', count }
    case 'LIMIT_REACHED':
      return { code: 'tooMany', count }
    default:
      return null
  }
}
