import { expectFields, expectRecord, shape } from '@seatwise/testbench'
import type { PageStage } from '../page-stage.ts'

const OPEN = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
/** All visitors come from this machine. */
export const GUESTS = { guests: true, guestsPerAddress: 100_000 }
/** A line that stands still: one visitor is inside and stays. */
export const LINE = { ...GUESTS, capacity: 1, ratePerMinute: 2, burst: 1, sessionSeconds: 3_000, claimSeconds: 3_000 }

export async function makeSale({ operate }: PageStage, facts: object): Promise<string> {
  // An evening in Hà Nội.
  const when = { ...OPEN, timeZone: 'Asia/Ho_Chi_Minh', startsAt: '2027-03-12T12:30:00Z' }
  const { id } = await operate('POST', '/api/events', { ...when, ...facts })
  return String(id)
}

const GUEST = { ticketToken: shape.text, accessToken: shape.text }

export interface Guest {
  readonly ticketToken: string
  readonly accessToken: string
}

export async function joinMany({ url }: PageStage, id: string, names: readonly string[]): Promise<Guest[]> {
  const guests: Guest[] = []
  for (const name of names) {
    guests.push(expectFields(await call(url, `/api/events/${id}/queue/join`, {}, { name, showMe: true }), GUEST))
  }
  return guests
}

/** What a guest is now; asking is also saying that they are there. */
export async function lookAs({ url }: PageStage, id: string, { ticketToken }: Guest): Promise<string> {
  const headers = { connection: 'close', 'seatwise-ticket': ticketToken }
  const answer = await fetch(`${url}/api/events/${id}/queue/status`, { headers })
  return expectFields(await answer.json(), { status: shape.text }).status
}

export async function leaveAs({ url }: PageStage, id: string, { ticketToken }: Guest): Promise<void> {
  const headers = { connection: 'close', 'seatwise-ticket': ticketToken }
  await fetch(`${url}/api/events/${id}/queue`, { method: 'DELETE', headers })
}

/** As many as make a line. */
export const crowd = (count: number): string[] =>
  Array.from({ length: count }, (_unused, index) => NAMES[index % NAMES.length] ?? '')
const NAMES = ['Linh', 'Minho', 'Ada', 'Søren', 'Yuna', 'Teo', 'Mai', 'Ida']

/** Buys seats of the only category; the codes of the e-tickets. */
export async function buySeats({ url }: PageStage, id: string, guest: Guest, quantity: number): Promise<string[]> {
  const account = { authorization: `Bearer ${guest.accessToken}` }
  const claim = () => call(url, `/api/events/${id}/queue/claim`, { 'seatwise-ticket': guest.ticketToken }, {})
  let claimed = await claim()
  while (claimed.activeToken === undefined) claimed = await claim()
  const event = (await (await fetch(`${url}/api/events/${id}`)).json()) as { seatTypes: { id: string }[] }
  const headers = { ...account, 'seatwise-pass': String(claimed.activeToken), 'idempotency-key': crypto.randomUUID() }
  const wish = { seatTypeId: event.seatTypes[0]?.id, quantity }
  const { id: reservationId } = await call(url, `/api/events/${id}/reservations`, headers, wish)
  await call(url, `/api/reservations/${reservationId}`, account, { email: 'linh@example.com' }, 'PATCH')
  const paid = await call(
    url,
    '/api/purchases',
    { ...account, 'idempotency-key': crypto.randomUUID() },
    { reservationId, paymentMethod: 'sandbox_ok' },
  )
  return ((paid.etickets ?? []) as { code: string }[]).map(({ code }) => code)
}

async function call(url: string, path: string, headers: Record<string, string>, body: object, method = 'POST') {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body: JSON.stringify(body),
  })
  return expectRecord(await answer.json())
}

/** A hall with a stage, curved rows in two blocks, wheelchair spaces, several prices, and a floor to stand on. */
export function drawnHall(): { shapes: object[]; seatTypes: object[] } {
  const block = (section: string, labels: string, first: { x: number; y: number; seats: number; curve: number }) =>
    [...labels].map((label, index) => ({
      ...{ section, label: `${section} ${label}`, seats: first.seats + index, seatPitch: 20, curve: first.curve },
      ...{ x: first.x - 10 * index, y: first.y + 24 * index, aisles: [Math.floor((first.seats + index) / 2)] },
      ...(index === labels.length - 1 ? { accessible: [1, 2] } : {}),
    }))
  const box = (x: number, y: number, width: number, height: number) => [
    ...[
      [x, y],
      [x + width, y],
    ],
    ...[
      [x + width, y + height],
      [x, y + height],
    ],
  ]
  const variants = [
    { name: 'Adult', price: 9_000 },
    { name: 'Child', price: 4_500 },
  ]
  const stalls = block('Stalls', 'ABCDEFGH', { x: -210, y: 190, seats: 22, curve: -24 })
  const circle = block('Circle', 'ABCDE', { x: -250, y: 430, seats: 26, curve: -24 })
  return {
    shapes: [
      {
        kind: 'stage',
        outline: [
          [-150, -40],
          [150, -40],
          [150, 10],
          [75, 34],
          [-75, 34],
          [-150, 10],
        ],
      },
      { kind: 'other', label: 'Bar', outline: box(290, 60, 70, 90) },
      { kind: 'aisle', outline: box(-330, 60, 60, 110) },
    ],
    seatTypes: [
      { name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, variants, rows: stalls },
      { name: 'Circle', price: 6_500, currency: 'EUR', reservedSeating: true, rows: circle },
      { name: 'Standing', price: 2_500, currency: 'EUR', totalQuantity: 80, area: box(-240, 60, 480, 80) },
    ],
  }
}

export function hallTypes(names: readonly [string, string, string] = ['Stalls', 'Circle', 'Standing']): object[] {
  const rowsFrom = (labels: string, first: number) =>
    [...labels].map((label, index) => ({
      label,
      seats: 18 + 2 * (first + index),
      x: -(17 + 2 * (first + index)) / 2,
      y: first + index + (first > 0 ? 1 : 0),
      seatPitch: 1,
    }))
  return [
    { name: names[0], price: 9_000, currency: 'EUR', reservedSeating: true, rows: rowsFrom('ABCDE', 0) },
    { name: names[1], price: 6_500, currency: 'EUR', reservedSeating: true, rows: rowsFrom('FGHJ', 5) },
    { name: names[2], price: 2_500, currency: 'EUR', totalQuantity: 80 },
  ]
}
