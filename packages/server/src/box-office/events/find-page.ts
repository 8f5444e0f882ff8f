import { publicEvent, type SaleEvent } from '@seatwise/domain'
import { type EventSearch, type Ledger, listEvents, type PageMark, readEvents, searchEvents } from '@seatwise/ledger'
import { writeCursor } from './cursor.ts'

export interface PageRequest {
  readonly kind: 'list' | 'search'
  readonly limit: number
  readonly after: PageMark | null
  readonly words: string
  readonly place: string
  /** ISO 8601, in the form in which they are compared. */
  readonly from: string | null
  readonly to: string | null
  /** What only the pages of this site ask for. */
  readonly more?: PageFilters
}

export type PageFilters = Partial<Pick<EventSearch, 'isToCome' | 'organizationId' | 'fromDay' | 'toDay' | 'priceMax'>>

const NO_FILTERS = { isToCome: false, organizationId: null, fromDay: null, toDay: null, priceMax: null }

export interface EventPage {
  readonly items: readonly SaleEvent[]
  readonly nextCursor: string | null
}

/** One page of events, of the list or of a search. */
export async function findPage(db: Ledger['db'], page: PageRequest): Promise<EventPage> {
  const { limit, after, words, place, more } = page
  const from = page.from === null ? null : new Date(page.from)
  const to = page.to === null ? null : new Date(page.to)
  const found =
    page.kind === 'list'
      ? await listEvents(db, { limit, after })
      : await searchEvents(db, { words, place, from, to, limit, after, ...NO_FILTERS, ...more })
  const items = (await readEvents(db, found.ids)).map(publicEvent)
  return { items, nextCursor: found.next === null ? null : writeCursor(found.next) }
}
