import { randomUUID } from 'node:crypto'
import { suiteSeed, waitUntil } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { type Sale, startSale } from '../sale-under-test/start-sale.ts'

const BUYERS = 200
const USES = 50
const SEATS = 2 * BUYERS
const ROOM = {
  ...{ capacity: SEATS, ratePerMinute: 1_000_000, burst: SEATS, claimSeconds: 0 },
  ...{ sessionSeconds: 600, reservationSeconds: 600, maxSeatsPerBuyer: 2, guestsPerAddress: SEATS },
}
const HOUSE = {
  totalSeats: undefined,
  seatTypes: [{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: SEATS, reservedSeating: false }],
}

test('[B112] [B115] 200 buyers on three servers want a code with 50 uses: 50 get its price, and what comes back is used again', async () => {
  const sale = await startSale({ servers: 3, seed: suiteSeed(), room: ROOM, event: HOUSE })
  try {
    const codeId = await makeCode(sale)
    const type = await sale.ledger.db.selectFrom('seat_types').select('id').executeTakeFirstOrThrow()
    const shop = { sale, seatTypeId: type.id }
    const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, index) => letIn(sale, index)))
    const answers = await Promise.all(buyers.map((buyer) => reserve(shop, buyer)))
    const won = answers.filter(({ status }) => status === 201)
    expect(won.map(({ body }) => body.amount)).toEqual(Array.from({ length: USES }, () => 3_600))
    const lost = answers.filter(({ status }) => status !== 201)
    expect(lost).toHaveLength(BUYERS - USES)
    expect(new Set(lost.map(({ body }) => body.code))).toEqual(new Set(['CODE_USED_UP']))
    expect(await usesOf(sale, codeId)).toBe(USES)

    // Ten give their seats back on one server while all others ask again on the next.
    const winners = buyers.filter((_, index) => answers[index]?.status === 201)
    const losers = buyers.filter((_, index) => answers[index]?.status !== 201)
    const returning = winners.slice(0, 10).map((buyer) => giveBack(sale, buyer, answers[buyer.index]?.body.id))
    const [again] = await Promise.all([Promise.all(losers.map((buyer) => reserve(shop, buyer, 1))), ...returning])
    const gained = again.filter(({ status }) => status === 201).length
    expect(await usesOf(sale, codeId)).toBe(USES - 10 + gained)
    // What came back too late for those is there for the next.
    const rest = losers.filter((_, index) => again[index]?.status !== 201)
    const last = await Promise.all(rest.map((buyer) => reserve(shop, buyer, 2)))
    expect(gained + last.filter(({ status }) => status === 201).length).toBe(10)
    expect(await usesOf(sale, codeId)).toBe(USES)
  } finally {
    await sale.close()
  }
}, 120_000)

interface Shop {
  readonly sale: Sale
  readonly seatTypeId: string
}

interface InsideBuyer {
  readonly index: number
  readonly authorization: string
  readonly pass: string
}

const urlOf = ({ servers }: Sale, index: number): string => servers[index % servers.length]?.url ?? ''

async function makeCode(sale: Sale): Promise<string> {
  const [server] = sale.servers
  const headers = { authorization: `Bearer ${await server?.adminToken()}` }
  const url = `${urlOf(sale, 0)}/api/events/${sale.eventId}/codes`
  const { body } = await sale.http.send({
    method: 'POST',
    url,
    headers,
    body: { code: 'FIFTY', percent: 20, usesMax: USES },
  })
  const [code] = body.items as { id: string }[]
  if (code === undefined) throw new Error(`No code was made: ${JSON.stringify(body)}`)
  return code.id
}

async function usesOf(sale: Sale, codeId: string): Promise<number | undefined> {
  const row = await sale.ledger.db.selectFrom('codes').select('uses').where('id', '=', codeId).executeTakeFirst()
  return row?.uses
}

async function letIn(sale: Sale, index: number): Promise<InsideBuyer> {
  const path = `${urlOf(sale, index)}/api/events/${sale.eventId}/queue`
  const { body: joined } = await sale.http.send({ method: 'POST', url: `${path}/join`, body: {} })
  const headers = { 'seatwise-ticket': String(joined.ticketToken) }
  const pass = await waitUntil('it is their turn', async () => {
    const { body } = await sale.http.send({ method: 'GET', url: `${path}/status`, headers })
    return typeof body.activeToken === 'string' ? body.activeToken : null
  })
  return { index, authorization: `Bearer ${joined.accessToken}`, pass }
}

/** On another server each round. */
async function reserve({ sale, seatTypeId }: Shop, { index, authorization, pass }: InsideBuyer, round = 0) {
  const headers = { authorization, 'seatwise-pass': pass, 'idempotency-key': randomUUID() }
  const url = `${urlOf(sale, index + round)}/api/events/${sale.eventId}/reservations`
  return await sale.http.send({ method: 'POST', url, headers, body: { seatTypeId, quantity: 1, code: 'FIFTY' } })
}

async function giveBack(sale: Sale, { index, authorization }: InsideBuyer, id: unknown): Promise<void> {
  const url = `${urlOf(sale, index)}/api/reservations/${String(id)}`
  const { status } = await sale.http.send({ method: 'DELETE', url, headers: { authorization } })
  expect(status).toBe(200)
}
