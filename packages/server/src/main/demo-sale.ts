import { randomUUID } from 'node:crypto'
import { type EventBody, readEventDraft } from '@seatwise/domain'
import { createEvent } from '@seatwise/ledger'
import type { Services } from './services.ts'

/** Always the same, so that any number of starts and servers create one demo sale, and its address is stable. */
export const DEMO_EVENT_ID = 'de300000-5ea7-4000-8000-000000000001'

const DAY_MS = 86_400_000
const SALE_DAYS = 30
/** A demo needs an open sale: one that ends sooner than this is prolonged at the next start. */
const SALE_DAYS_LEFT_MIN = 7

const TIME_ZONE = 'Asia/Ho_Chi_Minh'

/** Makes sure that there is a demo sale: created at the first start, kept open at every later one. */
export async function openDemoSale({ ledger, now }: Pick<Services, 'ledger' | 'now'>): Promise<string> {
  if (!(await prolong(ledger.db, now()))) await create(ledger.db, now())
  return DEMO_EVENT_ID
}

type Database = Services['ledger']['db']

async function create(db: Database, nowMs: number): Promise<void> {
  const ids = [DEMO_EVENT_ID]
  const newId = () => ids.pop() ?? randomUUID()
  try {
    await createEvent(db, { draft: readEventDraft(demoEvent(nowMs)), organizerId: null, newId })
  } catch (error) {
    // Another server that starts at the same time may have been first; the fixed id makes sure that only one succeeds.
    if (!(await exists(db))) throw error
  }
}

async function exists(db: Database): Promise<boolean> {
  const row = await db.selectFrom('events').select('id').where('id', '=', DEMO_EVENT_ID).executeTakeFirst()
  return row !== undefined
}

/** True when the demo sale exists. */
async function prolong(db: Database, nowMs: number): Promise<boolean> {
  const { startsAt, endsAt, salesEndAt } = timesOf(nowMs)
  await db
    .updateTable('events')
    .set({ starts_at: startsAt, ends_at: endsAt, sales_end_at: salesEndAt, time_zone: TIME_ZONE })
    .where('id', '=', DEMO_EVENT_ID)
    .where('sales_end_at', '<', new Date(nowMs + SALE_DAYS_LEFT_MIN * DAY_MS))
    .execute()
  return await exists(db)
}

function timesOf(nowMs: number) {
  // An evening after the sale: 19:30 in Hà Nội.
  const startsAtMs = Math.ceil((nowMs + (SALE_DAYS + 14) * DAY_MS) / DAY_MS) * DAY_MS + 12.5 * 3_600_000
  return {
    startsAt: new Date(startsAtMs),
    endsAt: new Date(startsAtMs + 3 * 3_600_000),
    salesStartAt: new Date(nowMs - 60_000),
    salesEndAt: new Date(nowMs + SALE_DAYS * DAY_MS),
  }
}

function demoEvent(nowMs: number): EventBody {
  const { startsAt, endsAt, salesStartAt, salesEndAt } = timesOf(nowMs)
  return {
    name: 'Aurora Live (demo)',
    code: 'DEMO',
    description: 'An evening of light and strings. This sale is a demo: nothing in it is real, and everything works.',
    location: 'Nhà hát Lớn, Hà Nội',
    timeZone: TIME_ZONE,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    salesStartAt: salesStartAt.toISOString(),
    salesEndAt: salesEndAt.toISOString(),
    additionalInfo: { doorsOpen: '18:30', ageLimit: 'none' },
    seatTypes: [
      { name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 300, reservedSeating: false },
      { name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows: stalls() },
    ],
    // All visitors of a demo come from one machine.
    room: { capacity: 50, ratePerMinute: 600, burst: 20, guestsPerAddress: 0 },
  }
}

/** Eight rows that widen towards the back, wheelchair places at the ends of the first, the sound desk in the last. */
function stalls() {
  return Array.from('ABCDEFGH', (label, index) => {
    const seats = 16 + index
    const row = { label, seats, x: -(seats - 1) / 2, y: index, seatPitch: 1 }
    if (label === 'A') return { ...row, accessible: [1, 2, seats - 1, seats] }
    if (label === 'H') return { ...row, blocked: [11, 12, 13] }
    return row
  })
}
