import { randomUUID } from 'node:crypto'
import type { Server } from '@seatwise/testbench'
import type { Client } from 'pg'
import { drive } from './drive.ts'
import { followMap, letIn, openHouse, reserve } from './house.ts'
import { once } from './sale.ts'
import { median } from './statistics.ts'

export interface ReservationRates {
  readonly reservations: number
  readonly inserts: number
  readonly ratio: number
}

/** With half as many the server has nothing to do for a tenth of the time: all of them wait for two transactions. */
const CONNECTIONS = 1_000
const ROUNDS = 5
const INSERTS_MS = 1_000
const SECONDS = 3
/** The first answers come after half of it; all others a tenth of a second after the one before on their connection. */
const UNMEASURED_SECONDS = 0.4
/** More than any round can use. */
const GUESTS_MAX = 27_000
/**
 * Few at first: a server that has never served anybody is slow, takes the ledger for that, and refuses a crowd. Then more,
 * in events of their own: what was compiled for the first has to be compiled anew for the second and third.
 */
const WARM_UPS = [
  { guests: 2_000, connections: 50 },
  { guests: 6_000, connections: 250 },
  { guests: 6_000, connections: 500 },
  { guests: 12_000, connections: CONNECTIONS },
]

/**
 * Reservations of one numbered seat each over HTTP, by people who are on the floor; and rows inserted one by one into
 * the same PostgreSQL right before and right after, so that whatever else the machine does disturbs both alike.
 */
export async function measureReservations(server: Server, ledger: Client): Promise<ReservationRates> {
  await ledger.query('create table one_row (id uuid primary key, text text not null)')
  for (const { guests, connections } of WARM_UPS) await (await prepare(server, guests))(connections)
  const rounds: ReservationRates[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const reserveAll = await prepare(server, GUESTS_MAX)
    const before = await insertOneByOne(ledger)
    const reservations = await reserveAll(CONNECTIONS)
    const inserts = (before + (await insertOneByOne(ledger))) / 2
    rounds.push({ reservations, inserts, ratio: reservations / inserts })
  }
  const middle = (field: keyof ReservationRates): number => median(rounds.map((round) => round[field]))
  return { reservations: middle('reservations'), inserts: middle('inserts'), ratio: middle('ratio') }
}

/** Opens an event and lets everybody in; what it returns has them reserve, and tells how many did in a second. */
async function prepare(server: Server, guestsMax: number): Promise<(connections: number) => Promise<number>> {
  const house = await openHouse(server, guestsMax)
  const guests = await letIn(house, guestsMax)
  const requests = guests.map((guest, index) => reserve(house, guest, house.seatIds[index] ?? ''))
  // Whoever chooses a seat looks at the map of them, so the server has a copy by then.
  await followMap(house)
  const { url } = house
  const times = { seconds: SECONDS, unmeasuredSeconds: UNMEASURED_SECONDS }
  const options = { url, ...times, nextRequest: once(requests), status: 201 }
  return async (connections) => (await drive({ ...options, connections })).perSecond
}

async function insertOneByOne(ledger: Client): Promise<number> {
  const started = performance.now()
  const end = started + INSERTS_MS
  let rows = 0
  for (; performance.now() < end; rows += 1) {
    const values = [randomUUID(), 'one row']
    await ledger.query({ name: 'one-row', text: 'insert into one_row (id, text) values ($1, $2)', values })
  }
  return (rows * 1_000) / (performance.now() - started)
}
