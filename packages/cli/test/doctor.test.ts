import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openLedger } from '@seatwise/ledger'
import {
  copyLedgerTemplate,
  postgresDatabase,
  redisUrl,
  removeFolder,
  startPostgres,
  startRedis,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSeatwise } from './run-seatwise.ts'

const SEATWISE_SECRET = Buffer.from('as long as it has to be, and no byte is repeated').toString('base64')

describe('seatwise doctor and migrate', { timeout: 90_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => removeFolder(folder))

  it('[O46] embedded, before the first start, there is nothing wrong, and nothing is made', async () => {
    const dataDir = join(folder, 'none')
    const { code, output } = await runSeatwise(['doctor'], { SEATWISE_DATA_DIR: dataDir })
    expect(code).toBe(0)
    expect(output).toMatch(/good\s+ledger/)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('[O46] beside a running server it does not disturb it', async () => {
    const dataDir = join(folder, 'running')
    const server = await startServer({ mode: 'embedded', dataDir })
    try {
      const { code, output } = await runSeatwise(['doctor'], { SEATWISE_DATA_DIR: dataDir })
      expect(output).toMatch(/good\s+ledger/)
      expect(code).toBe(0)
      expect((await fetch(`${server.url}/health/ready`, { headers: { connection: 'close' } })).status).toBe(200)
    } finally {
      await server.discard()
    }
  })

  it('[O46] [O54] [Y117] [Y131] a schema that is missing is said, and gone after migrate; then a sale may be opened', async () => {
    const postgres = await startPostgres({
      durable: true,
      settings: { archive_mode: 'on', archive_command: 'false' },
    })
    const redis = await startRedis({ durable: true })
    const env = {
      ...{ DATABASE_URL: postgres.url, REDIS_URL: redis.url, SEATWISE_SECRET },
      ...{ SEATWISE_PUBLIC_URL: 'https://tickets.example', SEATWISE_TRUST_PROXY: '127.0.0.1' },
    }
    try {
      const before = await runSeatwise(['doctor'], env)
      expect(before.code).toBe(1)
      expect(before.output).toMatch(/bad\s+ledger schema .*see "seatwise migrate --plan", then run "seatwise migrate"/)
      expect(before.output).toMatch(/^Do not open a sale like this: 1 bad, \d+ weak\.$/m)
      const planned = await runSeatwise(['migrate', '--plan'], env)
      expect([planned.code, planned.output]).toEqual([0, expect.stringContaining('creates   ')])
      expect(planned.output).toMatch(/^022-draws: The public draw of a room.*$/m)
      expect(planned.output).toMatch(/^ {2}rooms +writes every row, about 0; writes wait$/m)
      expect(planned.output).toContain('Programs of the version before go on')
      const migrated = await runSeatwise(['migrate'], env)
      expect(migrated.code).toBe(0)
      expect(migrated.output).toMatch(/applied 001-/)
      expect((await runSeatwise(['migrate'], env)).output).not.toMatch(/applied/)
      expect((await runSeatwise(['migrate', '--plan'], env)).output).toContain('Nothing is to be done.')
      await failToArchive(postgres.url)
      const after = await runSeatwise(['doctor'], env)
      expect(after.output).not.toMatch(/^bad/m)
      expect(after.output).toMatch(/^good\s+ledger durability/m)
      expect(after.output).toMatch(/^good\s+ledger clock/m)
      expect(after.output).toMatch(/^good\s+redis persistence/m)
      expect(after.output).toMatch(/^good\s+redis scripts/m)
      expect(after.output).toMatch(/^weak\s+redis replicas/m)
      expect(after.output).toMatch(/^A sale is possible like this; \d+ could be better\.$/m)
      expect(after.output).toMatch(/^good\s+ledger pooler/m)
      expect(after.output).toMatch(/^weak\s+ledger archive .*archiving the log fails/m)
      expect(after.output).toMatch(/^weak\s+draining .*set it to more than two/m)
      expect(after.output).toMatch(/^(?:good|weak)\s+redis distance/m)
      expect(after.code).toBe(0)
    } finally {
      await redis.discard()
      await postgres.discard()
    }
  })

  it('[Y130] a bundle has what a helper needs, and no secret and nothing of a person', async () => {
    const database = await postgresDatabase('migrated')
    const collector = createServer((request, response) =>
      response.writeHead(request.method === 'POST' ? 401 : 404).end(),
    )
    await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve))
    const { port } = collector.address() as AddressInfo
    const planted = (word: string) => `planted-${word}-9f3a`
    const secret = Buffer.from('planted, as long as it has to be, and no byte twice').toString('base64')
    const url = new URL(database.url)
    url.password = planted('database')
    // Its user has no password, so that any is right.
    const redis = new URL(redisUrl())
    redis.password = planted('redis')
    const env = {
      DATABASE_URL: url.href,
      REDIS_URL: redis.href,
      SEATWISE_SECRET: `${secret},${SEATWISE_SECRET}`,
      SEATWISE_ADMIN_EMAIL: `${planted('admin')}@example.com`,
      SEATWISE_ADMIN_PASSWORD: planted('password'),
      SEATWISE_SMTP_URL: `smtps://${planted('user')}:${planted('smtp')}@mail.example`,
      SEATWISE_MAIL_FROM: 'tickets@example.com',
      SEATWISE_PAYMENTS: 'stripe',
      SEATWISE_STRIPE_KEY: `sk_test_${planted('stripe')}`,
      SEATWISE_STRIPE_WEBHOOK_SECRET: `whsec_${planted('hook')}`,
      SEATWISE_PUBLIC_URL: 'https://tickets.example',
      SEATWISE_TRUST_PROXY: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${planted('trace')}`,
    }
    const ledger = await openLedger({ kind: 'postgres', url: database.url, poolMax: 1 })
    await ledger.db
      .insertInto('users')
      .values({
        id: randomUUID(),
        email: `${planted('buyer')}@example.com`,
        email_key: planted('buyer'),
        name: planted('name'),
        role: 'buyer',
      })
      .execute()
    await ledger.close()
    const file = join(folder, 'bundle.json')
    try {
      const { output } = await runSeatwise(['doctor', '--bundle', file], env)
      expect(output).toMatch(/^weak\s+traces .*it answers 401, so traces are lost/m)
      expect(output).toMatch(/^weak\s+ledger archive .*archive the log/m)
      const text = readFileSync(file, 'utf8')
      for (const found of [text, output]) {
        expect(found).not.toContain('9f3a')
        for (const each of [secret, SEATWISE_SECRET]) expect(found).not.toContain(each)
      }
      const bundle = JSON.parse(text)
      expect(bundle).toMatchObject({
        settings: { database: `postgres://${url.host}${url.pathname}`, secrets: 2, payments: 'stripe' },
        ledger: {
          kind: 'postgres',
          counts: [],
          migrations: expect.arrayContaining([expect.objectContaining({ version: 1 })]),
        },
        redis: { role: 'master' },
      })
      expect(bundle.findings.length).toBeGreaterThan(20)
      expect(bundle.ledger.tables.length).toBeGreaterThan(50)
      const again = await runSeatwise(['doctor', '--bundle', file], env)
      expect([again.code, again.output]).toEqual([1, expect.stringContaining('EEXIST')])
    } finally {
      collector.close()
      await database.drop()
    }
  })

  it('[Y131] a data folder that others can read, and one whose move did not end, are bad', async () => {
    const dataDir = join(folder, 'open')
    await copyLedgerTemplate(dataDir, 'migrated')
    await chmod(dataDir, 0o755)
    await writeFile(join(dataDir, 'moved.json'), '{ "finishedAt": null }')
    const { code, output } = await runSeatwise(['doctor'], { SEATWISE_DATA_DIR: dataDir })
    expect(output).toMatch(/^bad\s+data folder .*run "chmod -R go= /m)
    expect(output).toMatch(/^bad\s+data folder .*run "seatwise move" again/m)
    expect(code).toBe(1)
  })

  it('[O46] a Redis that may forget people, and one that is not there, are said', async () => {
    const database = await postgresDatabase()
    const forgetful = await startRedis({ args: ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru'] })
    try {
      const env = { DATABASE_URL: database.url, SEATWISE_SECRET }
      await runSeatwise(['migrate'], { ...env, REDIS_URL: forgetful.url })
      const { code, output } = await runSeatwise(['doctor'], { ...env, REDIS_URL: forgetful.url })
      expect(output).toMatch(/bad\s+redis eviction\s+.*allkeys-lru/)
      expect(output).toMatch(/bad\s+ledger durability\s+.*fsync/)
      expect(code).toBe(1)
      const gone = await runSeatwise(['doctor'], { ...env, REDIS_URL: 'redis://127.0.0.1:1' })
      expect(gone.output).toMatch(/bad\s+redis /)
      expect(gone.code).toBe(1)
    } finally {
      await forgetful.discard()
      await database.drop()
    }
  })
})

/** Ends a part of the log, and waits until PostgreSQL could not archive it. */
async function failToArchive(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_switch_wal()')
    const failed = 'select failed_count > 0 as has from pg_stat_archiver'
    await waitUntil('archiving failed', async () => (await client.query(failed)).rows[0]?.has === true)
  } finally {
    await client.end()
  }
}
