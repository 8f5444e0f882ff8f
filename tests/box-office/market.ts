import { HttpClient, type Server } from '@seatwise/testbench'
import type { Room } from '../sale-under-test/start-sale.ts'
import type { Market } from './buyer.ts'

const LOOK_MS = 50

/** Rows and places to stand, one seat for every buyer who stays. */
export function houseOf(numbered: number, standing: number): Readonly<Record<string, unknown>> {
  return {
    totalSeats: undefined,
    seatTypes: [
      {
        ...{ name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true },
        rows: [{ label: 'A', seats: numbered }],
      },
      { name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: standing, reservedSeating: false },
    ],
  }
}

export async function openMarket(
  servers: readonly Server[],
  room: Room,
  patienceMs: number,
  lookMs = LOOK_MS,
): Promise<Market> {
  const urls = servers.map(({ url }) => url)
  const { body } = await room.http.send({ method: 'GET', url: `${urls[0]}/api/events/${room.eventId}` })
  // The contract says what these are.
  const seatTypeIds = (body.seatTypes as { id: string }[]).map(({ id }) => id)
  return { room, urls, seatTypeIds, patienceMs, lookMs }
}

export interface SeatOfMap {
  readonly id: string
  readonly status: 'available' | 'held' | 'sold' | 'blocked'
}

/** The seats as the ledger has them now: an editor of the event is never answered from a cache. */
export async function readSeats(server: Server, eventId: string): Promise<SeatOfMap[]> {
  const http = new HttpClient()
  try {
    const headers = { authorization: `Bearer ${await server.adminToken()}` }
    const { body } = await http.send({ method: 'GET', url: `${server.url}/api/events/${eventId}/seats`, headers })
    return body.seats as SeatOfMap[]
  } finally {
    http.close()
  }
}
