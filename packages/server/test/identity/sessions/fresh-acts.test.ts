import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier } from '../../support/payment.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf } from '../../support/reservation.ts'
import { openRoomServer, RoomBench, type RoomServer } from '../../support/room.ts'
import { Mails } from '../../support/sign-in-mail.ts'

let ledger: Ledger
let server: RoomServer
let bench: RoomBench
let sale: string
let mails: Mails
beforeAll(async () => {
  ledger = await openScratchLedger()
  server = await openRoomServer(ledger, { env: { SEATWISE_FRESH_REFUND_OVER: '9000' } })
  bench = await RoomBench.open(server)
  sale = await bench.sale(OPEN_FLOOR, HOUSE)
  mails = new Mails(server)
}, 30_000)
afterAll(async () => {
  await server.close()
  await ledger.close()
})

const confirm = (authorization: string) =>
  server.app.inject({
    ...{ method: 'POST', url: '/api/auth/confirm', headers: { authorization } },
    payload: { password: PASSWORD },
  })

it('[A118] a refund of a purchase over the limit needs a fresh sign-in, also seat by seat; others and the buyer do not', async () => {
  const as = bench.organizer.authorization
  const seats = await seatIdsOf(bench, sale)
  const cashier = await Cashier.open(bench)
  const bought = async (seatIds: string[]) => {
    const buyer = await Buyer.admitted(bench, sale)
    const { id, amount } = await buyer.reserved({ seatIds }, `key-${seatIds.join()}`)
    return { amount, ...(await cashier.paid(buyer, id)) }
  }
  const [small, large] = [await bought(seats.slice(0, 1)), await bought(seats.slice(1, 4))]
  expect([small.amount <= 9_000, large.amount > 9_000]).toEqual([true, true])
  await mails.age(bench.organizer.email)
  const refund = (id: string, body?: object) =>
    bench.call('POST', `/api/purchases/${id}/refund`, { as, ...(body && { body }) })
  expectError(await refund(large.id), 403, 'FRESH_SIGN_IN_NEEDED')
  expectError(await refund(large.id, { seatIds: seats.slice(1, 2) }), 403, 'FRESH_SIGN_IN_NEEDED')
  expectError(
    await bench.call('POST', `/api/purchases/${large.id}/resolve`, { as, body: { action: 'refund' } }),
    403,
    'FRESH_SIGN_IN_NEEDED',
  )
  expect((await refund(small.id)).statusCode).toBe(200)
  expect((await confirm(as)).statusCode).toBe(204)
  expect((await refund(large.id)).statusCode).toBe(200)
})

it('[A118] a program’s key does what its role may: its owner confirmed to be there when it was made', async () => {
  const as = bench.organizer.authorization
  await confirm(as)
  const url = `/api/organizations/${await bench.organizationId()}/keys`
  const made = await bench.call('POST', url, { as, body: { name: 'Till', role: 'manager' } })
  const key = `Bearer ${made.json<{ key: string }>().key}`
  await mails.age(bench.organizer.email)
  const table = `${sale}/reservations.csv`
  expectError(await bench.call('GET', table, { as }), 403, 'FRESH_SIGN_IN_NEEDED')
  expect((await bench.call('GET', table, { as: key })).statusCode).toBe(200)
})

it('[A119] who follows a link to a table is asked first, and then gets the table and a way back', async () => {
  const as = bench.organizer.authorization
  await mails.age(bench.organizer.email)
  const table = `${sale}/reservations.csv`
  const cookie = `seatwise-session=${as.replace('Bearer ', '')}`
  const follow = (url: string, headers: object = {}) =>
    server.app.inject({ url, headers: { cookie, 'sec-fetch-mode': 'navigate', ...headers } })
  const led = await follow(table)
  const again = `/sign-in/again?next=${encodeURIComponent(table)}`
  expect([led.statusCode, led.headers.location]).toEqual([303, again])
  // A script, and a program with a token, get the error itself.
  const script = await server.app.inject({ url: table, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  expectError(script, 403, 'FRESH_SIGN_IN_NEEDED')
  expectError(await follow(table, { authorization: as }), 403, 'FRESH_SIGN_IN_NEEDED')
  expect((await follow(again)).body).toContain(`name="next" value="${table}"`)
  const confirmed = await server.app.inject({
    method: 'POST',
    url: '/sign-in/again',
    headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ password: PASSWORD, next: table }).toString(),
  })
  expect(confirmed.statusCode).toBe(200)
  expect(confirmed.body).toContain(`content="0; url=${table}"`)
  expect(confirmed.body).toContain(`href="/console/events/${sale.split('/').at(-1)}"`)
  expect((await follow(table)).headers['content-type']).toContain('text/csv')
})
