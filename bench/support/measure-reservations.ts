import { randomUUID } from 'node:crypto'
import type { Server } from '@seatwise/testbench'
import type { Client } from 'pg'
import { drive } from './drive.ts'
import { letIn, openHouse, reserve } from './house.ts'
import { once } from './sale.ts'
import { median } from './statistics.ts'

export interface ReservationRates {
  readonly reservations: number
  readonly inserts: number
  readonly ratio: number
}

const CONNECTIONS = 500
const ROUNDS = 3
const SECONDS = 4
/** More than any round can use. */
const GUESTS_MAX = 12_000
const WARM_GUESTS = 2_000
/** So few at first: a server that has never served anybody is slow, takes the ledger for that, and refuses a crowd. */
const WARM_CONNECTIONS = 50
/** Then as the rounds are: what was compiled for the first event has to be compiled anew for the second and third. */
const WARM_UP_ROUNDS = 2

/**
 * Reservations of one numbered seat each over HTTP, by people who are on the floor; and rows inserted one by one into
 * the same PostgreSQL, in turn, so that whatever else the machine does disturbs both alike.
 */
export async function measureReservations(server: Server, ledger: Client): Promise<ReservationRates> {
  await ledger.query('create table one_row (id uuid primary key, text text not null)')
  await reserveOnce(server, WARM_GUESTS, WARM_CONNECTIONS)
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await reserveOnce(server, GUESTS_MAX, CONNECTIONS)
  const rounds: ReservationRates[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const inserts = await insertOneByOne(ledger)
    const reservations = await reserveOnce(server, GUESTS_MAX, CONNECTIONS)
    rounds.push({ reservations, inserts, ratio: reservations / inserts })
  }
  const middle = (field: keyof ReservationRates): number => median(rounds.map((round) => round[field]))
  return { reservations: middle('reservations'), inserts: middle('inserts'), ratio: middle('ratio') }
}

async function reserveOnce(server: Server, guestsMax: number, connections: number): Promise<number> {
  const house = await openHouse(server, guestsMax)
  const guests = await letIn(house, guestsMax)
  const requests = guests.map((guest, index) => reserve(house, guest, house.seatIds[index] ?? ''))
  const { url } = house
  const options = { url, connections, seconds: SECONDS, nextRequest: once(requests), status: 201 }
  return (await drive(options)).perSecond
}

async function insertOneByOne(ledger: Client): Promise<number> {
  const started = performance.now()
  const end = started + SECONDS * 500
  let rows = 0
  for (; performance.now() < end; rows += 1) {
    const values = [randomUUID(), 'one row']
    await ledger.query({ name: 'one-row', text: 'insert into one_row (id, text) values ($1, $2)', values })
  }
  return (rows * 1_000) / (performance.now() - started)
}
