import { VALUES } from './example-values.ts'

const value = (name: string): unknown => VALUES.get(name)

/** Bodies whose fields exclude each other, or of which a caller sends a few: by the method and the end of the path. */
const WRITTEN_BODIES: Readonly<Record<string, object>> = {
  'POST /api/events': {
    ...{ name: 'Aurora Live', code: 'AURORA', location: 'Hà Nội', timeZone: 'Asia/Ho_Chi_Minh', taxRate: 19 },
    ...{ startsAt: value('startsAt'), salesStartAt: value('salesStartAt'), salesEndAt: value('salesEndAt') },
    fees: [{ name: 'Booking', perTicket: 150 }],
    seatTypes: [
      { name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 500, reservedSeating: false },
      {
        ...{ name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true },
        variants: [
          { name: 'Adult', price: 9_000 },
          { name: 'Child', price: 4_500 },
        ],
        rows: [{ label: 'A', seats: 20, accessible: [1, 2] }],
      },
    ],
    room: { capacity: 100, ratePerMinute: 600, burst: 50 },
  },
  'PATCH /api/events/:id': { name: 'Aurora Live', salesEndAt: value('salesEndAt') },
  'POST /api/events/reserve': { eventId: value('eventId'), seatTypeId: value('seatTypeId'), quantity: 2 },
  'POST /reservations': { seatIds: value('seatIds') },
  'PATCH /api/reservations/:id': { email: 'ada@example.com', name: 'Ada Lovelace', language: 'en' },
  'POST /refund': { seatIds: value('seatIds'), keepFees: true },
  'POST /sales': { seatTypeId: value('seatTypeId'), quantity: 2, method: 'cash', email: 'ada@example.com' },
  'POST /codes': { code: 'SPRING', percent: 10, usesMax: 100 },
  'POST /api/checkin': { code: value('checkin.code') },
  'POST /queue/join': { name: 'Ada', showMe: true },
  'POST /api/rooms': { name: 'Summer drop', target: 'https://shop.example/drop', capacity: 100, ratePerMinute: 600 },
  'PATCH /api/rooms/:id': { name: 'Summer drop', capacity: 150 },
  'PATCH /room': { ratePerMinute: 900 },
}

/** Undefined where the example follows from the schema. */
export function writtenBodyOf(method: string, url: string): object | undefined {
  return WRITTEN_BODIES[`${method} ${url}`] ?? WRITTEN_BODIES[`${method} ${endOf(url)}`]
}

/** What follows the id of what a path is about. */
export function endOf(url: string): string {
  return /^\/api\/(?:events|rooms|organizations|purchases)\/:id(\/.*)$/.exec(url)?.[1] ?? ''
}
