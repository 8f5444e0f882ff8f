import { type Ledger, numberReceipts } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WRITTEN_ANSWERS } from '../../src/http/openapi/written-answers.ts'
import type { Answer } from '../support/events.ts'
import { Cashier } from '../support/payment.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf } from '../support/reservation.ts'
import { openRoomServer, RoomBench, type RoomServer } from '../support/room.ts'

let ledger: Ledger
let server: RoomServer
let bench: RoomBench
/** Called in this order: the last ones change something. */
let answers: Record<string, () => Promise<Answer>>

beforeAll(async () => {
  ledger = await openScratchLedger()
  server = await openRoomServer(ledger)
  bench = await RoomBench.open(server)
  const as = bench.organizer.authorization
  const sale = await bench.sale({ ...OPEN_FLOOR, capacity: 2 }, HOUSE)
  const alice = await Buyer.admitted(bench, sale)
  const [seat = ''] = await seatIdsOf(bench, sale)
  const { id } = await alice.reserved({ seatIds: [seat] }, 'alice-reserves')
  const organizationId = await bench.organizationId()
  const purchase = await (await Cashier.open(bench)).paid(alice, id)
  await numberReceipts(ledger)
  for (const name of ['Ada', 'Grace', 'Edsger']) await bench.join(sale, bench.buyer(name), { showMe: true })
  await bench.operate(sale, { ratePerMinute: 90 })
  await bench.call('POST', `${sale}/codes`, { as, body: { code: 'SPRING', percent: 10 } })
  const made = await bench.call('POST', '/api/rooms', { as, body: { name: 'Door', target: 'https://shop.example/' } })
  const { items } = (await bench.call('GET', `${sale}/trail`, { as })).json<{ items: { id: number; kind: string }[] }>()
  const changed = items.find(({ kind }) => kind === 'room.changed')?.id
  const [get, post] = [(url: string) => bench.call('GET', url, { as }), bench.call.bind(bench, 'POST')]
  answers = {
    'GET /api/rooms/:id': () => get(`/api/rooms/${made.json<{ id: string }>().id}`),
    'POST /room/preview': () => post(`${sale}/room/preview`, { as, body: { ratePerMinute: 120 } }),
    'POST /trail/:action/undo': () => post(`${sale}/trail/${changed}/undo`, { as }),
    'PATCH /room': () => bench.operate(sale, { burst: 60 }),
    'POST /rehearsals': () => post(`${sale}/rehearsals`, { as, body: { verdict: 'passed', report: { visitors: 9 } } }),
    'GET /api/trail': () => bench.call('GET', '/api/trail', { as: bench.admin.authorization }),
    'GET /receipts.csv': () => get(`/api/organizations/${organizationId}/receipts.csv`),
    'GET /receipt.pdf': () => bench.call('GET', `/api/purchases/${purchase.id}/receipt.pdf`, { as }),
    'GET /tickets.pdf': () =>
      bench.call('GET', `/api/purchases/${purchase.id}/tickets.pdf`, { as: alice.authorization }),
    ...Object.fromEntries(
      Object.keys(WRITTEN_ANSWERS)
        .filter((route) => /^GET \/[^:]+$/.test(route) && !/realtime|receipt|tickets\.pdf|api\/trail/.test(route))
        .map((route) => [route, () => get(urlOf(route.slice('GET '.length), sale))]),
    ),
  }
}, 60_000)
afterAll(async () => {
  await server.close()
  await ledger.close()
})

it('[O96] what is said of answers without a schema is what the routes answer', async () => {
  // A push connection does not end by itself, and a pass for telephones needs keys: both have tests of their own.
  const elsewhere = ['GET /realtime', 'GET /realtime/sse', 'GET /api/etickets/:id/apple.pkpass']
  expect([...Object.keys(answers), ...elsewhere].toSorted()).toEqual(Object.keys(WRITTEN_ANSWERS).toSorted())
  const wrong: string[] = []
  for (const [route, ask] of Object.entries(answers)) {
    const said = WRITTEN_ANSWERS[route]
    const { statusCode, headers, body } = await ask()
    const type = String(headers['content-type']).split(';')[0]
    if (statusCode !== said?.status || type !== said.type)
      wrong.push(`${route}: ${statusCode} ${type} ${body.slice(0, 200)}`)
    else if (type === 'application/json') wrong.push(...differences(route, said.example, JSON.parse(body)))
    else if (type === 'text/csv') wrong.push(...columnsThatDiffer(route, String(said.example), body))
  }
  expect(wrong).toEqual([])
})

function urlOf(path: string, sale: string): string {
  if (path.startsWith('/api/') || path === '/openapi.json' || path === '/metrics') return path
  return `${sale}${path}`
}

/** The fields that only one of them has. What is null, empty or named by what happened may be anything. */
function differences(where: string, said: unknown, is: unknown): string[] {
  if (OPEN_ENDED.test(where) || said === null || is === null) return []
  if (Array.isArray(said) && Array.isArray(is)) {
    return said.length === 0 || is.length === 0 ? [] : differences(`${where}[]`, said[0], is[0])
  }
  if (typeof said !== 'object' || typeof is !== 'object') {
    return typeof said === typeof is ? [] : [`${where}: ${typeof is} instead of ${typeof said}`]
  }
  const [ours, theirs] = [said as Record<string, unknown>, is as Record<string, unknown>]
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...names].flatMap((name) => {
    if (!(name in ours)) return [`${where}.${name}: not said`]
    return name in theirs
      ? differences(`${where}.${name}`, ours[name], theirs[name])
      : [`${where}.${name}: not answered`]
  })
}

const OPEN_ENDED = /\.(before|after|facts|expiredBy|report|paths|components|info|head|reservation)$/

function columnsThatDiffer(route: string, said: string, is: string): string[] {
  const columns = (table: string): string => table.replace('\ufeff', '').split('\r\n')[0] ?? ''
  // A table without rows has no columns.
  return columns(is) === '' || columns(is) === columns(said) ? [] : [`${route}: ${columns(is)}`]
}
