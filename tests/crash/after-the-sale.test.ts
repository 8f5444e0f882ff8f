import { randomUUID } from 'node:crypto'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { keepMailLink, type Ledger, runStatement } from '@seatwise/ledger'
import { createAccessTokens } from '@seatwise/server'
import { SECRET, type Server, waitUntil } from '@seatwise/testbench'
import { afterAll, expect, test } from 'vitest'
import { http, openDistributed, openSale, reserve, type SaleOfShop, type Shop, send } from './shop.ts'

const IS_LONG = process.env.SEATWISE_LONG === '1'
/** Every point twenty times, or the last step of each act once: most of the time a server is started. */
const ROUNDS = IS_LONG ? 20 : 1
const TRANSFERS = pointsOf('transfer', ['transfer.inside-accept', 'transfer.after-accept'])
const RETURNS = pointsOf('returns', ['returns.after-offer', 'returns.after-accept'])
const DONE_MS_MAX = 30_000
const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)
afterAll(() => http.close())

test.concurrent(`[B193] servers killed with -9 at every point of a transfer, ${ROUNDS} times each: one holder, one good code, and the same call finishes it`, {
  timeout: ROUNDS * 120_000,
}, async () => {
  const shop = await openDistributed()
  try {
    const sale = await openSale(await shop.survivor())
    for (let round = 0; round < ROUNDS; round += 1)
      for (const point of TRANSFERS) await transferAndCrash(shop, sale, point)
    const transfers = ROUNDS * TRANSFERS.length
    expect(await shop.readLedger(countTransfers)).toEqual([{ transfers, accepted: transfers, moved: transfers }])
  } finally {
    await shop.close()
  }
})

test.concurrent(`[B193] servers killed with -9 at every point of offering and accepting returned seats, ${ROUNDS} times each: one offer, one sale`, {
  timeout: ROUNDS * 120_000,
}, async () => {
  const shop = await openDistributed()
  try {
    let deaths = 0
    for (let round = 0; round < ROUNDS; round += 1)
      for (const point of RETURNS) deaths += await returnAndCrash(shop, point)
    const sales = ROUNDS * RETURNS.length
    // Where both servers look for returned seats the other one may be faster; the points of accepting are always hit.
    expect(deaths).toBeGreaterThanOrEqual(sales / 2)
    console.info(`${deaths} servers died in ${sales} returns`)
    const all = { offers: sales, accepted: sales, offered: 0, sold: sales, unsold: 0 }
    expect(await shop.readLedger(countReturns)).toEqual([all])
  } finally {
    await shop.close()
  }
})

function pointsOf(act: 'transfer' | 'returns', few: readonly FaultPoint[]): readonly FaultPoint[] {
  const all = faultPointsOf(act)
  return IS_LONG ? all : all.filter((point) => few.includes(point))
}

async function transferAndCrash(shop: Shop, sale: SaleOfShop, point: FaultPoint): Promise<void> {
  const survivor = await shop.survivor()
  const { authorization, etickets } = await buy(survivor, sale)
  const [{ id = '', code: oldCode = '' } = {}] = etickets
  const offer = (server: Server) =>
    send(server, 'POST', `/api/etickets/${id}/transfer`, { authorization }, { email: 'friend@example.com' })
  const diesOfOffering = point.endsWith('offer')
  if (diesOfOffering) await crash(shop, point, offer)
  // Until it is accepted nothing has changed, whether or not the dead server had stored the transfer.
  const before = await send(survivor, 'GET', `/api/etickets/${id}`, { authorization })
  expect(before).toMatchObject({ status: 200, body: { code: oldCode } })
  expect(await offer(survivor)).toMatchObject({ status: 202 })

  const token = await shop.readLedger((ledger) => linkTo(ledger, 'transfer', 'transfers', 'eticket_id', id))
  const accept = (server: Server) => send(server, 'POST', `/api/transfers/${token}/accept`, {})
  if (!diesOfOffering) await crash(shop, point, accept)
  const accepted = await accept(survivor)
  expect(accepted).toMatchObject({ status: 200, body: { eticket: { id } } })
  const { code } = accepted.body.eticket as { code: string }
  expect((await accept(survivor)).body.eticket).toMatchObject({ id })

  const headers = { authorization: `Bearer ${await survivor.adminToken()}` }
  expect((await send(survivor, 'POST', '/api/checkin', headers, { code: oldCode })).status).not.toBe(200)
  expect(await send(survivor, 'POST', '/api/checkin', headers, { code })).toMatchObject({ status: 200 })
}

/** One seat that is sold, refunded, offered, accepted and sold again; returns how many servers died of it. */
async function returnAndCrash(shop: Shop, point: FaultPoint): Promise<number> {
  const survivor = await shop.survivor()
  const admin = { authorization: `Bearer ${await survivor.adminToken()}` }
  const sale = await openSale(survivor, 1)
  const { id } = await buy(survivor, sale)
  await waitUntil('the event is sold out', async () => {
    const asked = await send(survivor, 'POST', `/api/events/${sale.eventId}/returns`, {}, WISH)
    return asked.status === 201 ? true : null
  })
  const request = await shop.readLedger((ledger) =>
    linkTo(ledger, 'return', 'return_requests', 'event_id', sale.eventId),
  )
  expect((await send(survivor, 'POST', `/api/returns/${request}/confirm`, {})).status).toBe(200)

  const refund = (server: Server) => send(server, 'POST', `/api/purchases/${id}/refund`, admin, {})
  const diesOfOffering = point.endsWith('offer')
  let deaths = 0
  if (diesOfOffering) deaths += await crashMaybe(shop, point, refund)
  await waitUntil(
    'the seat is refunded',
    async () => ((await refund(survivor)).body.status === 'REFUNDED' ? true : null),
    { timeoutMs: DONE_MS_MAX },
  )
  const offer = await waitUntil(
    'the seat is offered',
    () => shop.readLedger((ledger) => linkTo(ledger, 'offer', 'offers', 'event_id', sale.eventId).catch(() => null)),
    { timeoutMs: DONE_MS_MAX, everyMs: 100 },
  )
  const accept = (server: Server) => send(server, 'POST', `/api/offers/${offer}/accept`, {})
  if (!diesOfOffering) deaths += await crash(shop, point, accept)
  const accepted = await accept(survivor)
  expect(accepted).toMatchObject({ status: 201, body: { status: 'PENDING_PAYMENT' } })
  const headers = { authorization: `Bearer ${accepted.body.accessToken}`, 'idempotency-key': randomUUID() }
  const body = { reservationId: accepted.body.id, paymentMethod: 'sandbox_ok' }
  expect(await send(survivor, 'POST', '/api/purchases', headers, body)).toMatchObject({ status: 201 })
  return deaths
}

const WISH = { email: 'late@example.com', quantity: 1 }

interface Bought {
  readonly id: string
  readonly authorization: string
  readonly etickets: readonly { readonly id: string; readonly code: string }[]
}

async function buy(server: Server, sale: SaleOfShop): Promise<Bought> {
  const { accessToken } = tokens.issue({ id: randomUUID(), role: 'buyer', name: 'Ada' })
  const authorization = `Bearer ${accessToken}`
  const reservationId = await reserve(server, sale, authorization)
  const headers = { authorization, 'idempotency-key': randomUUID() }
  const { body } = await send(server, 'POST', '/api/purchases', headers, { reservationId, paymentMethod: 'sandbox_ok' })
  return { id: String(body.id), authorization, etickets: body.etickets as Bought['etickets'] }
}

/** The call kills the server. */
async function crash(shop: Shop, point: FaultPoint, call: (server: Server) => Promise<unknown>): Promise<number> {
  await shop.doomed.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const { exited } = shop.doomed
  await expect(call(shop.doomed)).rejects.toThrow()
  await exited
  return 1
}

/** The same where another server may have done the work before: then this one is killed by hand. */
async function crashMaybe(shop: Shop, point: FaultPoint, call: (server: Server) => Promise<unknown>): Promise<number> {
  await shop.doomed.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const { exited } = shop.doomed
  const died = await call(shop.doomed).then(
    () => false,
    () => true,
  )
  if (died) await exited
  else await shop.doomed.kill()
  return died ? 1 : 0
}

/** A link to the latest row about this subject: what the mail would carry. */
async function linkTo(
  ledger: Ledger,
  kind: Parameters<typeof keepMailLink>[1]['kind'],
  table: string,
  column: string,
  about: string,
): Promise<string> {
  const sql = `select id from ${table} where ${column} = $1::uuid order by id desc limit 1`
  const [row] = await runStatement<{ id: string }>(ledger.db, { name: 'a test', sql }, [about])
  if (row === undefined) throw new Error(`Nothing in ${table} is about ${about}`)
  return await keepMailLink(ledger.db, { kind, subjectId: row.id })
}

async function countTransfers({ db }: Ledger): Promise<unknown[]> {
  const sql = `
    select (select count(*)::int from transfers) as transfers,
           (select count(*)::int from transfers where status = 'accepted' and accepted_by = id) as accepted,
           (select count(*)::int from etickets where generation = 2 and holder_id is not null) as moved`
  return await runStatement(db, { name: 'a test', sql }, [])
}

async function countReturns({ db }: Ledger): Promise<unknown[]> {
  const sql = `
    select (select count(*)::int from offers) as offers,
           (select count(*)::int from offers where accepted_by is not null) as accepted,
           (select sum(offered)::int from seat_maps) as offered,
           (select count(*)::int from seats where status = 'sold') as sold,
           (select count(*)::int from seats where status <> 'sold') as unsold`
  return await runStatement(db, { name: 'a test', sql }, [])
}
