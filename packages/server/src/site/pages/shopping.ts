import { parseSaleEvent, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { eventPage, homePage, saleCalendar } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { askForReturned, pageKey, ReturnsBody, readCursor, readEventId, readWords } from '../../box-office/index.ts'
import { type App, ownOrigin } from '../../http/index.ts'
import { MAIL_LIMIT } from '../../identity/index.ts'
import { readVerdict } from './event-code.ts'
import { formOf } from './forms.ts'
import { queryOf } from './page-kit.ts'
import { accentOf, forAll, forPeople, inSale, type PageParts, readPageEvent, usedForPage } from './page-parts.ts'

const EVENTS_PER_PAGE = 30
const SEARCH_LENGTH_MAX = 100

/** A form sends text; the operation itself reads the number. */
const ReturnsForm = formOf({
  email: ReturnsBody.properties.email,
  seatTypeId: Type.Optional(Type.String({ maxLength: 36, pattern: '^([0-9A-Fa-f-]{36})?$' })),
  quantity: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
})
type ReturnsRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof ReturnsForm> }>
const takingReturns = {
  config: { ...forPeople.config, rateLimit: MAIL_LIMIT },
  schema: { ...forPeople.schema, body: ReturnsForm },
}

type IdRequest = FastifyRequest<{ Params: { id: string } }>

/** Finding an event, and looking at one. */
export function shoppingPages(app: App, parts: PageParts): void {
  const { kit } = parts
  app.get('/', forAll(forPeople), async (request, reply) => {
    const words = readWords(queryOf(request, 'q')?.slice(0, SEARCH_LENGTH_MAX) ?? '')
    const place = readWords(queryOf(request, 'location')?.slice(0, SEARCH_LENGTH_MAX) ?? '')
    const found = await findEvents(parts, request, words, place)
    const now = new Date(parts.now())
    const soldOut = await soldOutAmong(parts, found.events)
    return kit.send(request, reply, homePage(kit.languageOf(request), { ...found, words, place, soldOut, now }))
  })
  app.get('/events/:id', forAll(inSale('path')), async (request: IdRequest, reply) => {
    const event = await readPageEvent(parts, request, request.params.id)
    const accent = await accentOf(parts, event.roomId)
    const isSoldOut = (await soldOutAmong(parts, [event])).has(event.id)
    const isAsked = queryOf(request, 'returns') === 'asked'
    const look = { accent, isSoldOut, isAsked, now: new Date(parts.now()), code: readVerdict(request) }
    return kit.send(request, reply, eventPage(kit.languageOf(request), event, look))
  })
  app.post('/events/:id/returns', takingReturns, async (request: ReturnsRequest, reply) => {
    const { email, seatTypeId = '', quantity } = request.body
    const wish = { email, quantity: Number(quantity), ...(seatTypeId === '' ? {} : { seatTypeId }) }
    const eventId = readEventId(request.params.id)
    await askForReturned(parts, eventId, { ...wish, language: kit.languageOf(request) }).catch(openAgain)
    return reply.redirect(`/events/${eventId}?returns=asked`, 303)
  })
  app.get('/events/:id/calendar.ics', inSale('path'), async (request: IdRequest, reply) => {
    const event = await readPageEvent(parts, request, request.params.id)
    const url = `${ownOrigin(parts.config, request)}/events/${event.id}`
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="sale.ics"')
      .send(saleCalendar(kit.languageOf(request), event, url))
  })
}

/** Seats came back meanwhile: the event's page shows them. */
function openAgain(error: unknown): void {
  if (!(error instanceof SeatwiseError) || error.code !== 'NOT_SOLD_OUT') throw error
}

/** Where nothing is free, the room knows whether all seats are sold or some only held; a closed room knows nothing. */
/** For a visitor without a code: an event of which only hidden seats are left is sold out, too. */
async function soldOutAmong(
  { rooms, roomTokens }: PageParts,
  events: readonly SaleEvent[],
): Promise<ReadonlySet<string>> {
  const soldOut = new Set<string>()
  for (const { id, remainingSeats } of events) {
    const room = remainingSeats === 0 ? rooms.openRoomOfEvent(id) : undefined
    if (room === undefined) continue
    const isGone = room.row.hidesSeats && (await roomTokens.publicStocks.isGone(id))
    if (isGone || (await room.now()).document.phase === 'sold_out') soldOut.add(id)
  }
  return soldOut
}

async function findEvents({ reads }: PageParts, request: FastifyRequest, words: string, place: string) {
  const cursor = queryOf(request, 'cursor')
  const kind = words === '' && place === '' ? 'list' : 'search'
  const after = cursor === undefined || cursor === '' ? null : readCursor(cursor)
  const key = pageKey({ kind, limit: EVENTS_PER_PAGE, after, words, place, from: null, to: null })
  const copy = await reads.pages.readCopy(key)
  const document = copy === null ? null : usedForPage(request, copy)
  const page = JSON.parse(document?.body.toString() ?? '{"items":[],"nextCursor":null}') as {
    items: unknown[]
    nextCursor: string | null
  }
  return { events: page.items.map((item) => parseSaleEvent(JSON.stringify(item))), nextCursor: page.nextCursor }
}
