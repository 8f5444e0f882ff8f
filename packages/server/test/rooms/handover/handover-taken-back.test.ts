import { randomUUID } from 'node:crypto'
import { migrate, openLedger } from '@seatwise/ledger'
import { postgresDatabase, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf } from '../../support/reservation.ts'
import { type JoinAnswer, openRoomServer, RoomBench } from '../../support/room.ts'

const ENDED_WITHIN_MS = 2_000

let here: RoomBench
let there: RoomBench
const undo: (() => Promise<void>)[] = []
beforeAll(async () => {
  const database = await postgresDatabase()
  const ledger = await openLedger({ kind: 'postgres', url: database.url })
  undo.push(
    () => database.drop(),
    () => ledger.close(),
  )
  await migrate(ledger)
  const first = await openRoomServer(ledger)
  const other = await openRoomServer(ledger, { secrets: first.secrets })
  undo.push(
    () => first.close(),
    () => other.close(),
  )
  first.services.boxOffice.start()
  here = await RoomBench.open(first)
  there = new RoomBench(other, here.organizer, here.admin)
})
afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

const kinds = {
  account: async (sale: string) => {
    const authorization = here.buyer()
    return { authorization, joined: await here.join(sale, authorization) }
  },
  guest: async (sale: string) => {
    const joined = await here.join(sale, '')
    return { authorization: `Bearer ${joined.accessToken}`, joined }
  },
}

for (const [kind, join] of Object.entries(kinds)) {
  it(`[R33] [A50] who lost a place again reserves, pays and cancels nothing on two servers, ${kind}`, async () => {
    const sale = await here.sale({ ...OPEN_FLOOR, guestsPerAddress: 1_000 }, HOUSE)
    const seatIds = (await seatIdsOf(here, sale)).slice(0, 1)
    const { authorization, joined } = await join(sale)
    const handed = await handOver(sale, joined.ticketToken)
    const second = new Buyer(there, sale, `Bearer ${handed.accessToken}`, handed.ticketToken)
    await second.look()
    const { id } = await second.reserved({ seatIds })

    const back = await here.join(sale, authorization)
    for (const answer of await actions(here, second, id)) expectError(answer, 401, 'UNAUTHORIZED')
    const isRefusedThere = async () => (await second.read('/api/reservations')).statusCode === 401
    await waitUntil('the other server refuses it', isRefusedThere, { timeoutMs: ENDED_WITHIN_MS })
    for (const answer of await actions(there, second, id)) expectError(answer, 401, 'UNAUTHORIZED')

    // The owner may hand the place over again; that ends nothing, and brings nothing back.
    const third = `Bearer ${(await handOver(sale, back.ticketToken)).accessToken}`
    for (const bench of [here, there]) {
      expect((await bench.call('GET', `/api/reservations/${id}`, { as: third })).statusCode).toBe(200)
      expect((await bench.call('GET', `/api/reservations/${id}`, { as: authorization })).statusCode).toBe(200)
    }
    expect(await second.read('/api/reservations').then(({ statusCode }) => statusCode)).toBe(401)
    const email = { email: 'ada@example.com' }
    await there.call('PATCH', `/api/reservations/${id}`, { as: third, body: email })
    expect((await pay(there, third, id)).statusCode).toBe(201)
  })
}

/** The second device is at the other server. */
async function handOver(sale: string, ticket: string): Promise<JoinAnswer> {
  const { code } = (await here.call('POST', `${sale}/queue/handover`, { ticket })).json<{ code: string }>()
  return (await there.call('POST', `${sale}/queue/handover/accept`, { body: { code } })).json<JoinAnswer>()
}

function actions(bench: RoomBench, { sale, authorization, ticket, pass }: Buyer, id: string): Promise<Answer[]> {
  const buyer = Object.assign(new Buyer(bench, sale, authorization, ticket), { pass })
  return Promise.all([buyer.reserve({ quantity: 1 }), pay(bench, authorization, id), buyer.cancel(id)])
}

function pay(bench: RoomBench, as: string, reservationId: string): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() }
  return bench.call('POST', '/api/purchases', { as, headers, body: { reservationId, paymentMethod: 'sandbox_ok' } })
}
