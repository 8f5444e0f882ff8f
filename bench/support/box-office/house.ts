import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Conversation, converseAll } from '../http/converse.ts'
import type { Seller } from './sale.ts'

/** An event with numbered seats only, and a room that admits every visitor at once. */
export interface House {
  readonly eventId: string
  readonly url: string
  readonly seatIds: readonly string[]
  /** Of the seat map that was read. */
  readonly version: number
}

/** A visitor on the floor. */
export interface Guest {
  readonly accessToken: string
  readonly pass: string
}

const SEATS_PER_ROW = 100
const CONNECTIONS = 100
const RETRY_MS = 10
/** At least half a minute. */
const ATTEMPTS_MAX = 3_000

export async function openHouse(seller: Seller, seats: number): Promise<House> {
  const rows = Array.from({ length: Math.ceil(seats / SEATS_PER_ROW) }, (_, row) => ({
    label: `R${row}`,
    seats: SEATS_PER_ROW,
  }))
  const answer = await fetch(`${seller.url}/api/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await seller.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Aurora Live',
      salesStartAt: '2020-01-01T00:00:00Z',
      salesEndAt: '2100-01-01T00:00:00Z',
      seatTypes: [{ name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows }],
      room: {
        ...{ capacity: 1_000_000, ratePerMinute: 1_000_000, burst: 1_000_000, claimSeconds: 600 },
        ...{ sessionSeconds: 7_200, reservationSeconds: 3_600, heartbeatTimeoutSeconds: 3_600 },
      },
    }),
  })
  const { id: eventId } = (await answer.json()) as { id?: string }
  if (eventId === undefined) throw new Error(`No event was made: ${answer.status}`)
  const map = await fetch(`${seller.url}/api/events/${eventId}/seats`)
  const { seats: list, version } = (await map.json()) as { seats: { id: string }[]; version: number }
  return { eventId, url: seller.url, seatIds: list.map(({ id }) => id), version }
}

/** Asks once what changed in the seat map, as every visitor who looks at it does. */
export async function followMap({ url, eventId, version }: House): Promise<void> {
  const answer = await fetch(`${url}/api/events/${eventId}/seats?since=${version}`)
  if (!answer.ok) throw new Error(`The seat map cannot be followed: ${answer.status}`)
  await answer.text()
}

/** Each of these visitors joins the line and enters. */
export async function letIn(house: House, accessTokens: readonly string[]): Promise<Guest[]> {
  const guests: Guest[] = []
  const left = [...accessTokens]
  await converseAll(
    new URL(house.url),
    CONNECTIONS,
    () => left.pop() ?? null,
    async (conversation, accessToken) => {
      guests.push(await enter(house, conversation, accessToken))
    },
  )
  return guests
}

/** Joins the line, and enters when the room admits the ticket; a visitor who is told to come again does. */
export async function enter(house: House, conversation: Conversation, accessToken: string): Promise<Guest> {
  const queue = `/api/events/${house.eventId}/queue`
  const join = post(house.url, `${queue}/join`, { authorization: `Bearer ${accessToken}` })
  const joined = await insist(conversation, join, [503])
  const { ticketToken } = read<{ ticketToken: string }>(joined, 200)
  const claim = post(house.url, `${queue}/claim`, { 'seatwise-ticket': ticketToken })
  const claimed = await insist(conversation, claim, [403, 503])
  return { accessToken, pass: read<{ activeToken: string }>(claimed, 200).activeToken }
}

/** Asks again while the answer says that it is not the visitor's turn yet. */
async function insist(conversation: Conversation, request: Buffer, later: readonly number[]): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await conversation.ask(request)
    if (!later.includes(answer.status) || attempt === ATTEMPTS_MAX) return answer
    await delay(RETRY_MS)
  }
}

/** A guest's claim of one seat. */
export function reserve(house: House, guest: Guest, seatId: string): Buffer {
  const headers = {
    authorization: `Bearer ${guest.accessToken}`,
    'seatwise-pass': guest.pass,
    'idempotency-key': randomUUID(),
  }
  return post(house.url, `/api/events/${house.eventId}/reservations`, headers, { seatIds: [seatId] })
}

export function post(url: string, path: string, headers: Readonly<Record<string, string>>, body: unknown = {}): Buffer {
  const text = JSON.stringify(body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${lines.join('')}` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    'latin1',
  )
}

/** The body of a good answer; any other ends the measurement. */
export function read<Body>({ status, body }: Answer, expected: number): Body {
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status}: ${body}`)
  return JSON.parse(body) as Body
}
