import { publicEvent, type SaleEvent } from '@seatwise/domain'
import { type Ledger, readEvents, readSeatMap, type SeatMapVersion } from '@seatwise/ledger'
import { Counter } from 'prom-client'
import { type Document, type Load, makeDocument, measureBuffers, ReadCache } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { findPage, type PageRequest } from './find-page.ts'

/** Public reads of events: from the cache, at most one second old, or the last good copy while the ledger is away. */
export interface EventReads {
  readonly events: ReadCache<EventDocument>
  readonly seatMaps: ReadCache<SeatMapDocument>
  /** Keys are `pageKey`s. */
  readonly pages: ReadCache<Document>
  /** Must be called after a write to an event on this server, so that the writer reads it at once. */
  forget(eventId: string): void
  /** The same for what all events of an organization say about it. */
  forgetOrganization(organizationId: string): void
}

/** Whether a public document leaves hidden seat types out, and who may see them. */
export interface Hiding {
  readonly hasHidden: boolean
  readonly organizationId: string
}

export interface DraftOrNot {
  /** Of a draft: its organization, to whose members alone it is shown besides admins. Undefined once it is published. */
  readonly draft?: { readonly organizationId: string }
}

/** A document about one event. */
export interface EventDocument extends Document, Hiding, DraftOrNot {}

export interface SeatMapDocument extends EventDocument, SeatMapVersion {
  /** The event's seat types as JSON. */
  readonly types: string
}

const MEGABYTE = 1_048_576
/** An event is about 2 KB; a plan of 60,000 seats about 9 MB. */
const EVENTS_BYTES_MAX = 64 * MEGABYTE
const SEAT_MAPS_BYTES_MAX = 256 * MEGABYTE
const PAGES_BYTES_MAX = 64 * MEGABYTE
const OVERHEAD_BYTES = 512

export function createEventReads(services: BoxOfficeServices): EventReads {
  const { ledger, pulse, now } = services
  const loads = new Counter({
    name: 'seatwise_read_cache_loads_total',
    help: 'Reads that went to the ledger, each for one or more events',
    labelNames: ['cache'],
    registers: [services.metrics],
  })
  const counted =
    <Value>(cache: string, load: (load: Load<Value>) => Promise<ReadonlyMap<string, Value>>) =>
    (request: Load<Value>) => {
      loads.inc({ cache })
      return pulse.ask(() => load(request))
    }
  const weigh = (document: Document): number => document.body.length + OVERHEAD_BYTES

  const events = new ReadCache<EventDocument>({
    load: counted('events', (load) => loadEvents(ledger, load)),
    weigh,
    weightMax: EVENTS_BYTES_MAX,
    batchMax: 50,
    batchesAtOnce: 3,
    waitingMax: 1_000,
    now,
  })
  const seatMaps = new ReadCache<SeatMapDocument>({
    load: counted('seat_maps', (load) => loadSeatMap(ledger, load)),
    weigh,
    weightMax: SEAT_MAPS_BYTES_MAX,
    batchMax: 1,
    batchesAtOnce: 2,
    waitingMax: 200,
    now,
  })
  const pages = new ReadCache<Document>({
    load: counted('pages', (load) => loadPage(ledger, load)),
    weigh,
    weightMax: PAGES_BYTES_MAX,
    batchMax: 1,
    batchesAtOnce: 3,
    waitingMax: 500,
    now,
  })
  measureBuffers(services.metrics, {
    cached_event_bytes: () => events.weight,
    cached_seat_map_bytes: () => seatMaps.weight,
    cached_page_bytes: () => pages.weight,
    queued_reads: () => events.waiting + seatMaps.waiting + pages.waiting,
  })
  return {
    events,
    seatMaps,
    pages,
    forget(eventId) {
      events.forget(eventId)
      seatMaps.forget(eventId)
      pages.forgetAll(({ body }) => body.includes(eventId))
    },
    forgetOrganization(organizationId) {
      events.forgetAll((event) => event.organizationId === organizationId)
      pages.forgetAll(({ body }) => body.includes(organizationId))
    },
  }
}

const source = (ledger: Ledger, isFresh: boolean): Ledger['db'] => (isFresh ? ledger.db : ledger.replica)

async function loadEvents(
  ledger: Ledger,
  { keys, isFresh }: Load<EventDocument>,
): Promise<ReadonlyMap<string, EventDocument>> {
  const events = await readEvents(source(ledger, isFresh), keys)
  return new Map(events.map((event) => [event.id, documentOf(event)]))
}

function documentOf(event: SaleEvent): EventDocument {
  return { ...makeDocument(JSON.stringify(publicEvent(event))), ...hidingOf(event), ...draftOf(event) }
}

function hidingOf({ seatTypes, organizationId }: SaleEvent): Hiding {
  return { hasHidden: seatTypes.some(({ hidden }) => hidden), organizationId }
}

const draftOf = ({ state, organizationId }: SaleEvent): Pick<EventDocument, 'draft'> =>
  state === 'draft' ? { draft: { organizationId } } : {}

async function loadSeatMap(
  ledger: Ledger,
  { keys: [id = ''], isFresh, known }: Load<SeatMapDocument>,
): Promise<ReadonlyMap<string, SeatMapDocument>> {
  const db = source(ledger, isFresh)
  const [event] = await readEvents(db, [id])
  if (event === undefined) return new Map()
  const hidden = event.seatTypes.flatMap((type) => (type.hidden ? [type.id] : []))
  const types = JSON.stringify(describeTypes(publicEvent(event)))
  const before = known(id)
  const isSame = before?.types === types && (before.draft === undefined) === (event.state !== 'draft')
  const map = await readSeatMap(db, id, isSame ? before : null, hidden)
  if (map === 'unchanged' && before !== undefined) return new Map([[id, before]])
  if (map === 'unchanged') throw new Error('Nothing was known that could be unchanged')
  const { version, expired, seats } = map
  const document = makeDocument(`{"version":${version},"seatTypes":${types},"seats":${seats}}`)
  const shown = { ...hidingOf(event), ...draftOf(event) }
  return new Map([[id, { ...document, ...shown, version, expired, types }]])
}

/** Omits what is derived from the seats themselves: it would be out of step with them. */
export function describeTypes(event: Pick<SaleEvent, 'seatTypes'>): object[] {
  return event.seatTypes.map(({ id, name, description, price, variants, currency, reservedSeating, area, hidden }) => ({
    id,
    name,
    description,
    price,
    variants,
    currency,
    reservedSeating,
    area,
    hidden,
  }))
}

async function loadPage(
  ledger: Ledger,
  { keys: [key = ''], isFresh }: Load<Document>,
): Promise<ReadonlyMap<string, Document>> {
  const page = await findPage(source(ledger, isFresh), readPageKey(key))
  return new Map([[key, makeDocument(JSON.stringify(page))]])
}

/** The same page has the same key, however its request was spelled. */
export function pageKey(page: PageRequest): string {
  const { kind, limit, after, words, place, from, to, more = {} } = page
  return JSON.stringify({ kind, limit, after, words, place, from, to, more } satisfies PageRequest)
}

const readPageKey = (key: string): PageRequest => JSON.parse(key) as PageRequest
