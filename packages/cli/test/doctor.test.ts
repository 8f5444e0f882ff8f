import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  postgresDatabase,
  removeFolder,
  startPostgres,
  startRedis,
  startServer,
  temporaryFolder,
} from '@seatwise/testbench'
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

  it('[O46] [O54] a schema that is missing is said, and gone after migrate; then a sale may be opened', async () => {
    const postgres = await startPostgres({ durable: true })
    const redis = await startRedis({ durable: true })
    const env = {
      ...{ DATABASE_URL: postgres.url, REDIS_URL: redis.url, SEATWISE_SECRET },
      ...{ SEATWISE_PUBLIC_URL: 'https://tickets.example', SEATWISE_TRUST_PROXY: '127.0.0.1' },
    }
    try {
      const before = await runSeatwise(['doctor'], env)
      expect(before.code).toBe(1)
      expect(before.output).toMatch(/bad\s+ledger schema .*run "seatwise migrate"/)
      expect(before.output).toMatch(/^Do not open a sale like this: 1 bad, \d weak\.$/m)
      const migrated = await runSeatwise(['migrate'], env)
      expect(migrated.code).toBe(0)
      expect(migrated.output).toMatch(/applied 001-/)
      expect((await runSeatwise(['migrate'], env)).output).not.toMatch(/applied/)
      const after = await runSeatwise(['doctor'], env)
      expect(after.output).not.toMatch(/^bad/m)
      expect(after.output).toMatch(/^good\s+ledger durability/m)
      expect(after.output).toMatch(/^good\s+ledger clock/m)
      expect(after.output).toMatch(/^good\s+redis persistence/m)
      expect(after.output).toMatch(/^good\s+redis scripts/m)
      expect(after.output).toMatch(/^weak\s+redis replicas/m)
      expect(after.output).toMatch(/^A sale is possible like this; \d could be better\.$/m)
      expect(after.code).toBe(0)
    } finally {
      await redis.discard()
      await postgres.discard()
    }
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
