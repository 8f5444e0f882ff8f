import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ledger, openLedger } from '@seatwise/ledger'
import {
  expectFields,
  removeFolder,
  SECRET,
  type Server,
  seatwiseProgram,
  shape,
  startChild,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http, openSale, type SaleOfShop, send } from '../crash/shop.ts'

const BUYERS = process.env.SEATWISE_LONG === '1' ? 200 : 12
/** How many buy at a time. */
const LANES = BUYERS / 4
const SEATS = 3_000

interface Paid {
  readonly reservation: string
  /** When the answer arrived. */
  readonly at: number
}

let folder: string
let server: Server
let sale: SaleOfShop
const paid: Paid[] = []
const failed: string[] = []
const place = (name: string): string => join(folder, name)

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer({ mode: 'embedded', dataDir: place('data') })
  sale = await openSale(server, SEATS)
})
afterAll(async () => {
  await server?.discard()
  await http.close()
  await removeFolder(folder)
})

async function seatwise(args: readonly string[], dataDir: string): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env.PATH, SEATWISE_DATA_DIR: dataDir, SEATWISE_SECRET: SECRET }
  const child = await startChild(`seatwise ${args[0]}`, process.execPath, [...(await seatwiseProgram()), ...args], {
    env,
  })
  const { code } = await child.exited
  return { code, output: child.output() }
}

it('[Y10] a backup that is made while buyers buy has everything that was acknowledged before its end', async () => {
  let isOver = false
  const buying = Promise.all(
    Array.from({ length: LANES }, async () => {
      while (!isOver || paid.length < BUYERS) await buy()
    }),
  )
  await waitUntil('some have paid', () => paid.length >= BUYERS / 4, { timeoutMs: 60_000 })
  await waitUntil('the first mail is in the mailbox', () => existsSync(join(place('data'), 'mailbox')), {
    timeoutMs: 60_000,
  })
  const { code, output } = await seatwise(['backup', place('backup')], place('data'))
  expect([code, output]).toEqual([0, expect.stringContaining('holds everything until')])
  const during = paid.length
  isOver = true
  await buying
  expect(failed).toEqual([])
  // It was made in the middle: some had paid before, and some paid later.
  expect(during).toBeLessThan(paid.length)
  const { until } = expectFields(JSON.parse(readFileSync(join(place('backup'), 'backup.json'), 'utf8')), {
    until: shape.text,
  })
  const before = paid.filter(({ at }) => at <= Date.parse(until))
  expect(before.length).toBeGreaterThanOrEqual(BUYERS / 4)
  await restore('copy')
  const ledger = await openLedger({ kind: 'pglite', dataDir: place('copy') })
  const known = await paidIn(ledger).finally(() => ledger.close())
  expect(before.filter(({ reservation }) => !known.has(reservation))).toEqual([])
  expect(readdirSync(join(place('copy'), 'mailbox')).length).toBeGreaterThan(0)
}, 180_000)

it('[Y11] what was restored is sound', async () => {
  const { code, output } = await seatwise(['verify', '--event', sale.eventId], place('copy'))
  expect([code, output]).toEqual([0, expect.stringContaining('held')])
}, 60_000)

it('[Y11] only an empty folder is filled, and only from a whole backup', async () => {
  const again = await seatwise(['restore', place('backup')], place('copy'))
  expect([again.code, again.output]).toEqual([1, expect.stringContaining('is not empty')])
  expect((await seatwise(['restore', place('data')], place('other'))).output).toContain('is no complete backup')
  expect((await seatwise(['restore', '--database'], place('copy'))).output).toContain('set DATABASE_URL')
  expect((await seatwise(['backup', place('backup')], place('data'))).output).toContain('is not empty')
  const file = join(place('backup'), 'ledger', 'PG_VERSION')
  const text = readFileSync(file)
  writeFileSync(file, '1')
  const damaged = await seatwise(['restore', place('backup')], place('other'))
  writeFileSync(file, text)
  expect([damaged.code, damaged.output]).toEqual([1, expect.stringContaining('PG_VERSION was changed')])
  expect(readdirSync(folder)).not.toContain('other')
}, 60_000)

it('[Y12] who joined after the backup is back at their place, in an epoch that says why it began', async () => {
  const queue = `/api/events/${sale.eventId}/queue`
  const authorization = `Bearer ${await server.adminToken()}`
  await send(server, 'PATCH', `/api/events/${sale.eventId}/room`, { authorization }, { paused: true })
  const join1 = await send(server, 'POST', `${queue}/join`, {}, {})
  const late = await seatwise(['backup', place('second')], place('data'))
  expect(late.code).toBe(0)
  const join2 = await send(server, 'POST', `${queue}/join`, {}, {})
  await server.kill()
  const { code } = await seatwise(['restore', place('second')], place('third'))
  expect(code).toBe(0)

  const restored = await startServer({ mode: 'embedded', dataDir: place('third') })
  try {
    const look = async (ticket: unknown) =>
      (await send(restored, 'GET', `${queue}/status`, { 'seatwise-ticket': String(ticket) })).body
    expect(await look(join2.body.ticketToken)).toMatchObject({ status: 'waiting', place: join2.body.place })
    expect(await look(join1.body.ticketToken)).toMatchObject({ status: 'waiting', position: 1 })
    const join3 = await send(restored, 'POST', `${queue}/join`, {}, {})
    expect(Number(join3.body.place)).toBeGreaterThan(Number(join2.body.place))
    const reasons = await openedReasons(restored, queue)
    expect(reasons).toContain('restored')
    expect((await seatwise(['verify', '--event', sale.eventId], place('third'))).code).toBe(0)
  } finally {
    await restored.discard()
  }
}, 120_000)

async function restore(to: string): Promise<void> {
  const { code, output } = await seatwise(['restore', place('backup')], place(to))
  expect([code, output]).toEqual([0, expect.stringContaining('1 rooms continue')])
}

/** A guest who buys one seat, and asks again when the server is busy. */
async function buy(): Promise<void> {
  const { eventId, seatTypeId } = sale
  const path = `/api/events/${eventId}`
  const joined = await insist('POST', `${path}/queue/join`, {}, {})
  const authorization = `Bearer ${joined.accessToken}`
  const ticket = String(joined.ticketToken)
  const pass = await waitUntil('it is their turn', async () => {
    const { activeToken } = await insist('GET', `${path}/queue/status`, { 'seatwise-ticket': ticket })
    return typeof activeToken === 'string' ? activeToken : null
  })
  const key = { 'idempotency-key': randomUUID() }
  const headers = { authorization, 'seatwise-pass': pass, ...key }
  const { id } = await insist('POST', `${path}/reservations`, headers, { seatTypeId, quantity: 1 })
  await insist('PATCH', `/api/reservations/${id}`, { authorization }, { email: `${randomUUID()}@example.com` })
  const order = { reservationId: id, paymentMethod: 'sandbox_ok' }
  await insist('POST', '/api/purchases', { authorization, 'idempotency-key': randomUUID() }, order)
  paid.push({ reservation: String(id), at: Date.now() })
}

/** Anything but success or 503 with `Retry-After` is a failure. */
async function insist(method: 'GET' | 'POST' | 'PATCH', path: string, headers: Record<string, string>, body?: object) {
  return await waitUntil('it is answered', async () => {
    const answer = await send(server, method, path, headers, body)
    if (answer.status < 300) return answer.body
    if (answer.status !== 503) failed.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.status === 503 ? null : answer.body
  })
}

async function paidIn(ledger: Ledger): Promise<Set<string>> {
  const rows = await ledger.db.selectFrom('reservations').select('id').where('status', '=', 'PAID').execute()
  return new Set(rows.map(({ id }) => id))
}

async function openedReasons(from: Server, queue: string): Promise<string[]> {
  const reasons: string[] = []
  let after: unknown = ''
  while (after !== null) {
    const { body } = await send(from, 'GET', `${queue}/audit${after === '' ? '' : `?after=${after}`}`, {})
    for (const item of body.items as Record<string, unknown>[])
      reasons.push(
        ...JSON.stringify(item)
          .matchAll(/restored|"start"/g)
          .map(String),
      )
    after = (body.items as unknown[]).length === 0 ? null : body.nextAfter
  }
  return reasons
}
