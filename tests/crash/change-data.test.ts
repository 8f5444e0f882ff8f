import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLedger } from '@seatwise/ledger'
import { createAccessTokens, judgePostgres, readConfig } from '@seatwise/server'
import {
  ChangeConsumer,
  type OutboxEvent,
  type Postgres,
  redisUrl,
  SECRET,
  type Server,
  shape,
  startPostgres,
  startServer,
  waitUntil,
} from '@seatwise/testbench'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { http, openSale, reserve, type SaleOfShop, send } from './shop.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/change-data.md'), 'utf8')
const [SET_UP = '', WATCH = ''] = [...GUIDE.matchAll(/```sql\n(.*?)```/gs)].map(([, block = '']) => block)
const CONNECTOR = shape.mapOf(shape.text)(JSON.parse(/```json\n(.*?)```/s.exec(GUIDE)?.[1] ?? '{}'), 'connector')
const BUYERS = 12

const tokens = createAccessTokens([Buffer.from(SECRET, 'base64')], Date.now)

describe('the outbox, consumed by logical replication', () => {
  const undo: (() => Promise<unknown>)[] = []
  let postgres: Postgres
  let server: Server
  let sale: SaleOfShop
  let consumer: ChangeConsumer

  beforeAll(async () => {
    postgres = await startPostgres({ durable: true, settings: { wal_level: 'logical' } })
    undo.push(() => postgres.discard())
    server = await startServer({ mode: 'distributed', databaseUrl: postgres.url })
    undo.push(() => server.discard())
    // One by one, as psql sends them: a slot is not created in a transaction that wrote.
    for (const statement of SET_UP.split(';').filter((text) => text.trim() !== '')) await query(statement)
    sale = await openSale(server)
    consumer = new ChangeConsumer({
      url: postgres.url.replace('seatwise@', `${CONNECTOR['database.user']}@`),
      slot: CONNECTOR['slot.name'] ?? '',
      publication: CONNECTOR['publication.name'] ?? '',
    })
    undo.push(() => consumer.kill())
  }, 120_000)
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
    http.close()
  })

  test('[B68] the guide’s connector names columns that the outbox has', async () => {
    expect(CONNECTOR['table.include.list']).toBe('public.outbox')
    const columns = (
      await query<{ name: string }>(
        "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'outbox'",
      )
    ).map(({ name }) => name)
    const named = Object.entries(CONNECTOR).filter(([key]) =>
      /^transforms\.outbox\.(table\.field\.|route\.by\.)/.test(key),
    )
    const placed = String(CONNECTOR['transforms.outbox.table.fields.additional.placement']).split(',')
    expect(named).toHaveLength(4)
    expect(columns).toEqual(
      expect.arrayContaining([...named.map(([, column]) => column), ...placed.map((one) => one.split(':')[0])]),
    )
  })

  test('[B68] every event arrives once by its id, in order for each reservation, whatever is killed', {
    timeout: 240_000,
  }, async () => {
    await consumer.start()
    const before = await walPosition()
    await Promise.all(buyers(BUYERS))
    const perVisit = (await walBytesSince(before)) / BUYERS
    console.info(`${Math.round(perVisit / 1024)} KB of WAL for each visit from joining to paid or canceled`)

    // The consumer dies in the middle of a rush.
    const rush = buyers(BUYERS)
    const sofar = consumer.received.length
    await waitUntil('it consumes', () => consumer.received.length > sofar + BUYERS / 2)
    await consumer.kill()
    await Promise.all(rush)
    await consumer.start()

    // A server dies in the middle of the next one, then PostgreSQL in that after it.
    for (const disaster of [() => server.restart(), () => breakPostgres()]) {
      const next = buyers(BUYERS)
      const heard = consumer.received.length
      await waitUntil('it has begun', () => consumer.received.length > heard)
      await disaster()
      await Promise.all(next)
    }
    await expectEverything()
    expect(consumer.received.length, 'nothing was sent again').toBeGreaterThan(consumer.events.length)
    expect([...consumer.kinds]).toEqual(['insert'])
  })

  test('[B68] while the consumer is away the table stays bounded and the WAL grows; it misses no event', {
    timeout: 120_000,
  }, async () => {
    await consumer.kill()
    await Promise.all(buyers(BUYERS))
    const written = await outbox()
    const [away] = await query<{ active: boolean; behind_bytes: string }>(WATCH)
    expect(away?.active).toBe(false)
    expect(await doctorSays()).toMatchObject({ 'ledger slots': 'weak', 'ledger standbys': 'weak' })
    expect(Number(away?.behind_bytes)).toBeGreaterThan(0)
    await waitUntil('mail and webhooks have their share', async () => {
      return (await query('select from outbox where handed_at is null')).length === 0
    })
    await query("update outbox set created_at = created_at - interval '36 days'")
    // Housekeeping runs at once in a server that starts.
    await server.restart()
    await waitUntil('old rows are deleted', async () => (await outbox()).length === 0)
    const gone = new Set(consumer.events.map(({ id }) => id))
    expect(written.filter(({ id }) => !gone.has(id)).length).toBeGreaterThan(BUYERS)
    await consumer.start()
    await expectEverything(written)
    expect([...consumer.kinds]).toEqual(['insert'])
    // Now because WAL is kept without a limit; and a consumer is no standby.
    expect(await doctorSays()).toMatchObject({ 'ledger slots': 'weak', 'ledger standbys': 'weak' })
    await query("alter system set max_slot_wal_keep_size = '1GB'")
    await query('select pg_reload_conf()')
    await waitUntil('a slot that is consumed is fine', async () => (await doctorSays())['ledger slots'] === 'good')
  })

  test('[B68 control] without the guide’s publication, housekeeping arrives as changes of its own', {
    timeout: 60_000,
  }, async () => {
    await query('create publication everything for table outbox')
    await query("select pg_create_logical_replication_slot('everything', 'pgoutput')")
    const careless = new ChangeConsumer({ url: postgres.url, slot: 'everything', publication: 'everything' })
    await careless.start()
    await Promise.all(buyers(1))
    await query('update outbox set handed_at = now()')
    await query('delete from deliveries')
    await query('delete from outbox')
    await waitUntil('it is bothered', () => careless.kinds.has('update') && careless.kinds.has('delete'))
    await careless.kill()
  })

  /** Visitors who come, reserve, and pay or give up: whatever dies meanwhile, they insist. */
  function buyers(count: number): Promise<void>[] {
    return Array.from({ length: count }, (_, index) => visit(index % 3 !== 0))
  }

  async function visit(pays: boolean): Promise<void> {
    const { accessToken } = tokens.issue({ id: randomUUID(), role: 'buyer', name: 'Ada' })
    const authorization = `Bearer ${accessToken}`
    const reservationId = await reserve(server, sale, authorization)
    const headers = { authorization, 'idempotency-key': randomUUID() }
    await waitUntil('the visit ends', async () => {
      if (!pays) {
        const url = `${server.url}/api/reservations/${reservationId}`
        return [200, 409].includes((await http.send({ method: 'DELETE', url, headers })).status)
      }
      const body = { reservationId, paymentMethod: 'sandbox_ok' }
      return (await send(server, 'POST', '/api/purchases', headers, body)).status === 201
    })
  }

  async function breakPostgres(): Promise<void> {
    await postgres.kill()
    await consumer.kill()
    await postgres.restart('kept')
    await consumer.start()
  }

  /** Compares with the ledger, whose positions rise in the order of commits for each reservation. */
  async function expectEverything(known?: readonly OutboxEvent[]): Promise<void> {
    const written = known ?? (await outbox())
    expect(written.length).toBeGreaterThan(BUYERS * 2)
    await waitUntil('everything is consumed', () => {
      const ids = new Set(consumer.events.map(({ id }) => id))
      return written.every(({ id }) => ids.has(id))
    })
    const wanted = Object.groupBy(written, ({ aggregateid }) => aggregateid)
    const arrived = Object.groupBy(consumer.events, ({ aggregateid }) => aggregateid)
    for (const [reservation, story] of Object.entries(wanted)) {
      expect(arrived[reservation]?.map(({ id }) => id)).toEqual(story?.map(({ id }) => id))
      expect(arrived[reservation]?.map(({ payload }) => payload)).toEqual(story?.map(({ payload }) => payload))
    }
    // Nothing that was rolled back.
    expect(consumer.events).toHaveLength(written.length)
  }

  /** What the doctor finds, by what it looked at. */
  async function doctorSays(): Promise<Record<string, string>> {
    const config = readConfig({ DATABASE_URL: postgres.url, REDIS_URL: redisUrl(), SEATWISE_SECRET: SECRET })
    const ledger = await openLedger({ kind: 'postgres', url: postgres.url, poolMax: 1 })
    try {
      const findings = await judgePostgres(ledger, config)
      return Object.fromEntries(findings.map(({ what, verdict }) => [what, verdict]))
    } finally {
      await ledger.close()
    }
  }

  const outbox = () =>
    query<OutboxEvent>(
      'select id, aggregatetype, aggregateid, type, payload, position from outbox order by outbox.position',
    )
  const walPosition = async () => (await query<{ at: string }>('select pg_current_wal_lsn() as at'))[0]?.at ?? ''
  const walBytesSince = async (position: string) =>
    Number((await query<{ bytes: string }>(`select pg_current_wal_lsn() - '${position}' as bytes`))[0]?.bytes)

  async function query<Row>(sql: string): Promise<Row[]> {
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
})
