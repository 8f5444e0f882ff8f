import { isSlug, parseInstant, parseSaleEvent, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { eventPage, type HomeFilters, homePage, hostPage, saleCalendar, showCalendar } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import {
  askForReturned,
  type PageFilters,
  pageKey,
  ReturnsBody,
  readCursor,
  readEventId,
  readWords,
} from '../../box-office/index.ts'
import { sendsMail } from '../../config/index.ts'
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

type SlugRequest = FastifyRequest<{ Params: { slug: string } }>
type IdRequest = FastifyRequest<{ Params: { id: string } }>

function startOf({ startsAt }: SaleEvent): Date {
  if (startsAt === null) throw new SeatwiseError('NOT_FOUND', { message: 'This event has no date' })
  return startsAt
}

/** Finding an event, and looking at one. */
export function shoppingPages(app: App, parts: PageParts): void {
  const { kit } = parts
  app.get('/', forAll(forPeople), async (request, reply) => {
    const { words, place, ...more } = readFilters(request)
    const found = await findEvents(parts, request, { words, place, more })
    const now = new Date(parts.now())
    const soldOut = await soldOutAmong(parts, found.events)
    const facts = { ...found, filters: { words, place, ...more }, soldOut, now }
    return kit.send(request, reply, homePage(kit.languageOf(request), facts))
  })
  app.get('/o/:slug', forAll(forPeople), async (request: SlugRequest, reply) => {
    const { slug } = request.params
    const host = isSlug(slug) ? await parts.hosts.bySlug(slug) : null
    if (host === null) throw new SeatwiseError('NOT_FOUND')
    const found = await findEvents(parts, request, { words: '', place: '', more: { organizationId: host.id } })
    const soldOut = await soldOutAmong(parts, found.events)
    const facts = { host, ...found, soldOut, now: new Date(parts.now()) }
    return kit.send(request, reply, hostPage(kit.languageOf(request), facts))
  })
  app.get('/events/:id', forAll(inSale('path')), async (request: IdRequest, reply) => {
    const event = await readPageEvent(parts, request, request.params.id)
    const accent = await accentOf(parts, event.roomId)
    const isSoldOut = (await soldOutAmong(parts, [event])).has(event.id)
    const isAsked = queryOf(request, 'returns') === 'asked'
    const hasMail = sendsMail(parts.config)
    const origin = ownOrigin(parts.config, request)
    const now = new Date(parts.now())
    const look = { accent, isSoldOut, isAsked, hasMail, origin, now, code: readVerdict(request) }
    return kit.send(request, reply, eventPage(kit.languageOf(request), event, look))
  })
  app.post('/events/:id/returns', takingReturns, async (request: ReturnsRequest, reply) => {
    const { email, seatTypeId = '', quantity } = request.body
    const wish = { email, quantity: Number(quantity), ...(seatTypeId === '' ? {} : { seatTypeId }) }
    const eventId = readEventId(request.params.id)
    await askForReturned(parts, eventId, { ...wish, language: kit.mailLanguageOf(request) }).catch(openAgain)
    return reply.redirect(`/events/${eventId}?returns=asked`, 303)
  })
  app.get('/events/:id/calendar.ics', inSale('path'), async (request: IdRequest, reply) => {
    const event = await readPageEvent(parts, request, request.params.id)
    const url = `${ownOrigin(parts.config, request)}/events/${event.id}`
    // The sale, of which the waiting page reminds, or the event itself, for those who have tickets.
    const isShow = queryOf(request, 'of') === 'show'
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', `attachment; filename="${isShow ? 'event' : 'sale'}.ics"`)
      .send(
        isShow
          ? showCalendar({ ...event, startsAt: startOf(event) }, url)
          : saleCalendar(kit.languageOf(request), event, url),
      )
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

interface Wanted {
  readonly words: string
  readonly place: string
  readonly more: PageFilters
}

/** What is to come, in order of its beginning; what was searched for by words, the best first. */
async function findEvents({ reads }: PageParts, request: FastifyRequest, { words, place, more }: Wanted) {
  const cursor = queryOf(request, 'cursor')
  const isWanted = Object.values(more).some((value) => value !== null)
  const kind = words === '' && place === '' && !isWanted ? 'list' : 'search'
  const after = cursor === undefined || cursor === '' ? null : readCursor(cursor)
  const search = { words, place, from: null, to: null, more: { ...more, isToCome: true } }
  const copy = await reads.pages.readCopy(pageKey({ kind, limit: EVENTS_PER_PAGE, after, ...search }))
  const document = copy === null ? null : usedForPage(request, copy)
  const page = JSON.parse(document?.body.toString() ?? '{"items":[],"nextCursor":null}') as {
    items: unknown[]
    nextCursor: string | null
  }
  return { events: page.items.map((item) => parseSaleEvent(JSON.stringify(item))), nextCursor: page.nextCursor }
}

/** A field of the form that means nothing is as good as an empty one: a page of results is no place for errors. */
function readFilters(request: FastifyRequest): HomeFilters {
  const text = (name: string): string => readWords(queryOf(request, name)?.slice(0, SEARCH_LENGTH_MAX) ?? '')
  const day = (name: string): string | null => {
    const value = text(name)
    return DAY.test(value) && parseInstant(`${value}T00:00:00Z`) !== null ? value : null
  }
  const price = text('price')
  const priceMax = /^\d{1,9}(?:\.\d{1,3})?$/.test(price) ? Number(price) : null
  return { words: text('q'), place: text('location'), fromDay: day('from'), toDay: day('to'), priceMax }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
