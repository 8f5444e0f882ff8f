import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openLedger } from '@seatwise/ledger'
import {
  type Child,
  copyLedgerTemplate,
  postgresDatabase,
  removeFolder,
  startChild,
  startRedis,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COMMAND, runSeatwise } from './run-seatwise.ts'

describe('seatwise serve', { timeout: 90_000 }, () => {
  let folder: string
  let child: Child
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    await child.kill()
    await removeFolder(folder)
  })

  async function start(env: Record<string, string> = {}): Promise<string> {
    child = await startChild('seatwise serve', process.execPath, [COMMAND, 'serve'], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: '0', SEATWISE_DATA_DIR: join(folder, 'my data'), ...env },
    })
    await waitUntil('it is announced', () => child.output().includes('Ctrl-C stops it.'), { timeoutMs: 60_000 })
    return /http:\/\/127\.0\.0\.1:\d+/.exec(child.output())?.[0] ?? ''
  }

  const ask = (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...init.headers, connection: 'close' } })

  it('[O42] says where to go, and the credentials it made up exactly once', async () => {
    const url = await start()
    expect((await ask(`${url}/health/ready`)).status).toBe(200)
    expect((await ask(`${url}/docs`)).status).toBe(200)
    const email = /email\s+(\S+@\S+)/.exec(child.output())?.[1]
    const password = /password\s+(\S+)/.exec(child.output())?.[1]
    const login = {
      method: 'POST',
      body: JSON.stringify({ email, password }),
      headers: { 'content-type': 'application/json' },
    }
    expect((await ask(`${url}/api/auth/login`, login)).status).toBe(200)
    await child.stop()
    expect(child.output().split(String(password))).toHaveLength(2)

    const again = await start()
    expect(child.output()).not.toMatch(/password/)
    expect((await ask(`${again}/api/auth/login`, login)).status).toBe(200)
  })

  it('[O60] two workers introduce themselves once, on one port, and each logs under its number', async () => {
    const database = await postgresDatabase('migrated')
    const redis = await startRedis()
    try {
      const url = await start({
        ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, SEATWISE_WORKERS: '2', SEATWISE_DEMO: 'on' },
        SEATWISE_SECRET: Buffer.alloc(32, 7).toString('base64'),
      })
      expect((await ask(`${url}/health/ready`)).status).toBe(200)
      expect(child.output().match(/Seatwise is running/g)).toHaveLength(1)
      expect(child.output().match(/Demo sale/g)).toHaveLength(1)
      expect(child.output().match(/password {2,}/g)).toHaveLength(1)
      const listening = [...child.output().matchAll(/"worker":(\d),"msg":"listening at ([^,"]+)/g)]
      expect(listening.map(([, worker, at]) => [worker, at])).toEqual([
        ['1', url],
        ['2', url],
      ])
      expect(await child.stop()).toEqual({ code: 0, signal: null })
    } finally {
      await child.kill()
      await redis.discard()
      await database.drop()
    }
  })

  it('[O60] a worker is started by its supervisor alone', async () => {
    const alone = await runSeatwise(['serve', '--as-worker', '1:3000'])
    expect(alone).toMatchObject({ code: 1, output: expect.stringContaining('run "seatwise serve"') })
    expect((await runSeatwise(['serve', '--as-worker', 'one'])).code).toBe(2)
  })

  it('[O42, O47] the demo sale is open where it says', async () => {
    await copyLedgerTemplate(join(folder, 'my data'), 'migrated')
    const url = await start()
    const demo = /Demo sale\s+(\S+)/.exec(child.output())?.[1] ?? ''
    // By name: browsers make passkeys for `localhost`, and for no number.
    expect(demo.startsWith(url.replace('127.0.0.1', 'localhost'))).toBe(true)
    expect(await (await ask(demo)).text()).toContain('Aurora Live')
    const event = demo.replace('/events/', '/api/events/')
    expect(await (await ask(event)).json()).toMatchObject({ code: 'DEMO', totalSeats: 456, remainingSeats: 453 })
  })

  it('[O42] credentials that were set are not printed', async () => {
    await copyLedgerTemplate(join(folder, 'my data'), 'migrated')
    await start({ SEATWISE_ADMIN_EMAIL: 'me@example.com', SEATWISE_ADMIN_PASSWORD: 'nine green bottles' })
    expect(child.output()).not.toMatch(/nine green bottles|me@example\.com/)
  })
  it('[A36] an address that a buyer registered is no operator’s: exit code 1, and a sentence that says what to do', async () => {
    const dataDir = join(folder, 'my data')
    await copyLedgerTemplate(dataDir, 'migrated')
    const ledger = await openLedger({ kind: 'pglite', dataDir })
    const email = 'ops@example.com'
    await ledger.db
      .insertInto('users')
      .values({ id: randomUUID(), email, email_key: email, password_hash: 'none', name: 'Eve', role: 'buyer' })
      .execute()
    await ledger.close()
    const operator = { SEATWISE_ADMIN_EMAIL: email, SEATWISE_ADMIN_PASSWORD: 'nine green bottles' }
    child = await startChild('seatwise serve', process.execPath, [COMMAND, 'serve'], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: '0', SEATWISE_DATA_DIR: dataDir, ...operator },
    })
    expect((await child.exited).code).toBe(1)
    expect(child.output()).toMatch(/SEATWISE_ADMIN_EMAIL is ops@example\.com.*Choose another address/)
    expect(child.output()).not.toMatch(/nine green bottles|at .*\.ts/)
  })
})
