import { parseSaleEvent, type SaleEvent } from '@seatwise/domain'
import { eventPage, homePage, saleCalendar } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import { pageKey, readCursor, readWords } from '../../box-office/index.ts'
import { type App, ownOrigin } from '../../http/index.ts'
import { queryOf } from './page-kit.ts'
import { accentOf, forPeople, inSale, type PageParts, readPageEvent } from './page-parts.ts'

const EVENTS_PER_PAGE = 30
const SEARCH_LENGTH_MAX = 100

type IdRequest = FastifyRequest<{ Params: { id: string } }>

/** Finding an event, and looking at one. */
export function shoppingPages(app: App, parts: PageParts): void {
  const { kit } = parts
  app.get('/', forPeople, async (request, reply) => {
    const words = readWords(queryOf(request, 'q')?.slice(0, SEARCH_LENGTH_MAX) ?? '')
    const place = readWords(queryOf(request, 'location')?.slice(0, SEARCH_LENGTH_MAX) ?? '')
    const found = await findEvents(parts, words, place, queryOf(request, 'cursor'))
    const now = new Date(parts.now())
    const soldOut = await soldOutAmong(parts, found.events)
    return kit.send(request, reply, homePage(kit.languageOf(request), { ...found, words, place, soldOut, now }))
  })
  app.get('/events/:id', inSale('path'), async (request: IdRequest, reply) => {
    const event = await readPageEvent(parts, request.params.id)
    const accent = await accentOf(parts, event.roomId)
    const isSoldOut = (await soldOutAmong(parts, [event])).has(event.id)
    const look = { accent, isSoldOut, now: new Date(parts.now()) }
    return kit.send(request, reply, eventPage(kit.languageOf(request), event, look))
  })
  app.get('/events/:id/calendar.ics', inSale('path'), async (request: IdRequest, reply) => {
    const event = await readPageEvent(parts, request.params.id)
    const url = `${ownOrigin(parts.config, request)}/events/${event.id}`
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'attachment; filename="sale.ics"')
      .send(saleCalendar(kit.languageOf(request), event, url))
  })
}

/** Where nothing is free, the room knows whether all seats are sold or some only held; a closed room knows nothing. */
async function soldOutAmong({ rooms }: PageParts, events: readonly SaleEvent[]): Promise<ReadonlySet<string>> {
  const soldOut = new Set<string>()
  for (const { id, remainingSeats } of events) {
    const room = remainingSeats === 0 ? rooms.openRoomOfEvent(id) : undefined
    if (room !== undefined && (await room.now()).document.phase === 'sold_out') soldOut.add(id)
  }
  return soldOut
}

async function findEvents({ reads }: PageParts, words: string, place: string, cursor: string | undefined) {
  const kind = words === '' && place === '' ? 'list' : 'search'
  const after = cursor === undefined || cursor === '' ? null : readCursor(cursor)
  const key = pageKey({ kind, limit: EVENTS_PER_PAGE, after, words, place, from: null, to: null })
  const document = await reads.pages.read(key)
  const page = JSON.parse(document?.body.toString() ?? '{"items":[],"nextCursor":null}') as {
    items: unknown[]
    nextCursor: string | null
  }
  return { events: page.items.map((item) => parseSaleEvent(JSON.stringify(item))), nextCursor: page.nextCursor }
}
