import { randomUUID } from 'node:crypto'
import { forgetOld, type Ledger } from '@seatwise/ledger'
import { redisUrl } from '@seatwise/testbench'
import { createClient } from 'redis'
import { beforeAll, expect, it } from 'vitest'
import { PASSWORD, registerVisitor, registerWithRole, type Visitor } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { query } from '../support/payment-time.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf, until } from '../support/reservation.ts'
import type { RoomBench } from '../support/room.ts'

/** Where the law makes the seller keep who bought. */
const KEPT_TABLES = ['receipts']

forEachMode('privacy', (open) => {
  let bench: RoomBench
  let staff: Visitor
  beforeAll(async () => {
    bench = await open()
    staff = await registerWithRole(bench.server.app, bench.server.ledger, 'admin')
  })
  const remove = (as: string) => bench.call('DELETE', '/api/auth/me', { as })

  /** An account that bought a seat under a name that stands nowhere else, and waits in another line. */
  async function buyerOf(name: string) {
    const email = `${name}@person.example`
    const account = await registerVisitor(bench.server.app, email)
    await bench.call('PATCH', '/api/auth/me', { as: account.authorization, body: { name: `Dame ${name}` } })
    const signedIn = await bench.call('POST', '/api/auth/login', { body: { email, password: PASSWORD } })
    const as = `Bearer ${signedIn.json<{ accessToken: string }>().accessToken}`
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const join = { showMe: true, metadata: { shoe: `size of ${name}` } }
    await bench.join(sale, as, join)
    const buyer = await Buyer.admitted(bench, sale, as)
    const [seatId = ''] = await seatIdsOf(bench, sale)
    const reservation = await buyer.reserved({ seatIds: [seatId] })
    await bench.call('PATCH', `/api/reservations/${reservation.id}`, { as, body: { email, name: `Dame ${name}` } })
    const paid = await bench.call('POST', '/api/purchases', {
      ...{ as, body: { reservationId: reservation.id, paymentMethod: 'sandbox_ok' } },
      headers: { 'idempotency-key': randomUUID() },
    })
    expect(paid.statusCode).toBe(201)
    const waiting = await bench.sale({ paused: true })
    await bench.join(waiting, as, join)
    const [eticket] = paid.json<{ etickets: { code: string }[] }>().etickets
    return { as, account, sale, waiting, name, eticket }
  }

  it('[A90] the export has everything that is kept about the account, and nothing of others', async () => {
    const { as, account, name } = await buyerOf('zerubina')
    const answer = await bench.call('GET', '/api/auth/me/export', { as })
    expect(answer.statusCode).toBe(200)
    const found = answer.json<Record<string, unknown[]>>()
    expect(found.account).toMatchObject({ id: account.id, email: account.email, name: `Dame ${name}` })
    for (const part of ['sessions', 'tickets', 'reservations', 'items', 'addressees', 'purchases', 'etickets']) {
      expect(found[part]?.length, part).toBeGreaterThan(0)
    }
    expect(answer.body).toContain(`size of ${name}`)
    expect(answer.body).not.toContain('argon2')
    expectError(await bench.call('GET', '/api/auth/me/export'), 401, 'UNAUTHORIZED')
  })

  it('[A91] after a deletion no name and no address is left, books add up, and the e-ticket opens the door', async () => {
    const { as, account, sale, waiting, name, eticket } = await buyerOf('quintavius')
    const { ledger } = bench.server
    expect(await placesOf(ledger, name)).toContain('users')
    const before = await bench.call('GET', sale)
    expect((await remove(as)).statusCode).toBe(204)
    expect((await placesOf(ledger, name)).filter((table) => !KEPT_TABLES.includes(table))).toEqual([])
    if (ledger.kind !== 'pglite') expect(await namesInRedis(name)).toEqual([])
    expect((await bench.call('GET', sale)).json()).toEqual(before.json())
    const audit = await bench.call('GET', `${waiting}/queue/audit`)
    expect(audit.body).toContain('joined')

    expectError(await bench.call('GET', '/api/auth/me', { as }), 401, 'UNAUTHORIZED')
    const again = { email: account.email, password: PASSWORD }
    expectError(await bench.call('POST', '/api/auth/login', { body: again }), 401, 'BAD_CREDENTIALS')
    const used = await bench.call('POST', '/api/checkin', { as: staff.authorization, body: { code: eticket?.code } })
    expect(used.statusCode).toBe(200)
    // The address is free again, for another account.
    const anew = await bench.call('POST', '/api/auth/register', { body: { ...again, name: 'Another' } })
    expect(anew.json<{ user: { id: string } }>().user.id).not.toBe(account.id)
  })

  it('[A92] a deletion waits for a running payment, and for another admin or owner', async () => {
    const visitor = await registerVisitor(bench.server.app)
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const buyer = await Buyer.admitted(bench, sale, visitor.authorization)
    const reservation = await buyer.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    await buyer.sayEmail(reservation.id)
    const slow = await bench.call('POST', '/api/purchases', {
      ...{ as: visitor.authorization, body: { reservationId: reservation.id, paymentMethod: 'sandbox_slow' } },
      headers: { 'idempotency-key': randomUUID() },
    })
    expect(slow.statusCode).toBe(202)
    expectError(await remove(visitor.authorization), 409, 'PAYMENT_UNDER_WAY')
    expect((await bench.call('GET', '/api/auth/me', { as: visitor.authorization })).statusCode).toBe(200)
    const { db } = bench.server.ledger
    await db
      .updateTable('users')
      .set({ role: 'buyer' })
      .where('role', '=', 'admin')
      .where('id', '<>', staff.id)
      .execute()
    expectError(await remove(staff.authorization), 409, 'LAST_ADMIN')
    const owner = await registerVisitor(bench.server.app)
    const id = randomUUID()
    await db.insertInto('organizations').values({ id, name: 'Small house' }).execute()
    await db.insertInto('members').values({ organization_id: id, user_id: owner.id, role: 'owner' }).execute()
    expectError(await remove(owner.authorization), 409, 'LAST_OWNER')
  })

  it('[A93] what ended tickets say of a person is deleted after the days that were set', async () => {
    const { db } = bench.server.ledger
    const sale = await bench.sale({ paused: true })
    const { ticketToken } = await bench.join(sale, undefined, { metadata: { shoe: 43 } })
    await bench.call('DELETE', `${sale}/queue`, { ticket: ticketToken })
    const rows = async () => {
      const entries = await db.selectFrom('queue_entries').selectAll().execute()
      return entries.filter(({ metadata }) => metadata?.shoe === 43)
    }
    await until(async () => (await rows())[0]?.state === 'expired')
    await forgetOld(db, 30)
    expect(await rows()).toHaveLength(1)
    const [entry] = await rows()
    await db
      .updateTable('queue_entries')
      .set({ ended_at: new Date(Date.now() - 31 * 86_400_000) })
      .where('room_id', '=', entry?.room_id ?? '')
      .execute()
    await forgetOld(db, 30)
    expect(await rows()).toEqual([])
    const left = await db
      .selectFrom('queue_entries')
      .select(['address', 'user_agent', 'metadata', 'limit_key', 'state'])
      .where('room_id', '=', entry?.room_id ?? '')
      .execute()
    expect(left).toEqual([{ address: null, user_agent: null, metadata: null, limit_key: null, state: 'expired' }])
  })
})

/** The tables in which a text stands, whatever the column. */
async function placesOf({ db }: Ledger, text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    db,
    'select table_name as name from information_schema.tables where table_schema = current_schema() order by 1',
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await query(
      db,
      `select 1 from "${name}" as line where position('${text}' in lower(line::text)) > 0 limit 1`,
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** The keys in which a text stands. */
async function namesInRedis(text: string): Promise<string[]> {
  const client = createClient({ url: redisUrl() })
  await client.connect()
  const found: string[] = []
  for await (const keys of client.scanIterator({ COUNT: 1_000 })) {
    for (const key of keys) {
      const type = await client.type(key)
      const read = {
        string: ['GET', key],
        hash: ['HGETALL', key],
        stream: ['XRANGE', key, '-', '+'],
        set: ['SMEMBERS', key],
        zset: ['ZRANGE', key, '0', '-1'],
      }[type]
      if (read !== undefined && JSON.stringify(await client.sendCommand(read)).includes(text)) found.push(key)
    }
  }
  await client.close()
  return found
}
