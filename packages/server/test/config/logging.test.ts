import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ADMIN,
  postgresDatabase,
  redisUrl,
  removeFolder,
  type Server,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/config/logging.ts'

const PLANTED = {
  password: 'planted-password-of-a-buyer',
  ticket: 'planted-ticket-token',
  pass: 'planted-pass',
  cookie: 'planted-cookie',
  bearer: 'planted.bearer.token',
  query: 'planted-in-a-query',
}

/** Sends secrets everywhere a client can put them, into answers that succeed and answers that do not. */
async function spreadSecrets(server: Server): Promise<string[]> {
  const headers = {
    'content-type': 'application/json',
    connection: 'close',
    authorization: `Bearer ${PLANTED.bearer}`,
    cookie: `seatwise=${PLANTED.cookie}`,
    'seatwise-ticket': PLANTED.ticket,
    'seatwise-pass': PLANTED.pass,
  }
  const register = { email: 'ada@example.com', password: PLANTED.password, name: 'Ada' }
  const requests: [string, RequestInit][] = [
    ['/api/auth/register', { method: 'POST', body: JSON.stringify(register) }],
    ['/api/auth/register', { method: 'POST', body: JSON.stringify({ ...register, more: PLANTED.password }) }],
    ['/api/auth/register', { method: 'POST', body: `{"password":"${PLANTED.password}"` }],
    ['/api/auth/login', { method: 'POST', body: JSON.stringify({ email: 'ada@example.com', password: PLANTED.pass }) }],
    [`/api/auth/me?token=${PLANTED.query}`, {}],
    [`/nothing/here?token=${PLANTED.query}`, {}],
    [`/%zz?token=${PLANTED.query}`, {}],
  ]
  for (const [path, init] of requests) await (await fetch(server.url + path, { ...init, headers })).arrayBuffer()
  const token = await server.adminToken()
  const me = await fetch(`${server.url}/api/auth/me`, {
    headers: { connection: 'close', authorization: `Bearer ${token}` },
  })
  expect(me.status).toBe(200)
  await me.arrayBuffer()
  return [...Object.values(PLANTED), ADMIN.password, token]
}

function expectCleanLog(output: string, secrets: readonly string[]): void {
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) })
  expect(lines.filter((line) => line.includes('"answered"')).length).toBeGreaterThan(5)
  for (const secret of secrets) expect.soft(output.includes(secret), `the output holds ${secret}`).toBe(false)
}

describe('logs', { timeout: 90_000 }, () => {
  it('[O33] embedded, the whole output of a run at the most verbose level holds no secret', async () => {
    const folder = await temporaryFolder()
    const dataDir = join(folder, 'data')
    const env = { SEATWISE_LOG_LEVEL: 'trace', SEATWISE_SECRET: undefined }
    const server = await startServer({ mode: 'embedded', dataDir, env })
    try {
      const secrets = await spreadSecrets(server)
      await server.stop()
      expectCleanLog(server.output(), [...secrets, (await readFile(join(dataDir, 'secret'), 'utf8')).trim()])
    } finally {
      await server.discard()
      await removeFolder(folder)
    }
  })

  it('[O33] distributed, the output holds no secret, not even when a store goes away', async () => {
    const database = await postgresDatabase()
    const withPassword = new URL(database.url)
    withPassword.password = 'planted-database-password'
    const redis = new URL(redisUrl())
    redis.password = 'planted-redis-password'
    const secret = Buffer.alloc(32, 'planted').toString('base64')
    const server = await startServer({
      mode: 'distributed',
      databaseUrl: withPassword.href,
      redisUrl: redis.href,
      env: { SEATWISE_LOG_LEVEL: 'trace', SEATWISE_SECRET: secret },
    })
    try {
      const secrets = await spreadSecrets(server)
      await database.drop()
      const answer = await waitUntil('it is not ready any more', async () => {
        const ready = await fetch(`${server.url}/health/ready`, { headers: { connection: 'close' } })
        return ready.status === 503 ? await ready.text() : null
      })
      expect(answer).toContain('ledger')
      await server.stop()
      expectCleanLog(server.output(), [...secrets, secret, 'planted-database-password', 'planted-redis-password'])
    } finally {
      await server.discard()
    }
  })

  it('[O33] a secret in a log line is redacted by name, by value or by shape', () => {
    const lines: string[] = []
    const env = { DATABASE_URL: 'postgres://u:db-secret%21@h/d', REDIS_URL: 'redis://:redis-secret@h' }
    const secret = Buffer.alloc(32, 3)
    const mail = { SEATWISE_SMTP_URL: 'smtp://box:mail-secret@mail', SEATWISE_MAIL_FROM: 'a@example.com' }
    const config = readConfig({ ...env, ...mail, SEATWISE_SECRET: secret.toString('base64') })
    const log = createLog(config, { write: (line: string) => lines.push(line) })
    log.info({ password: 'named-1', user: { password: 'named-2' }, a: { b: { authorization: 'named-3' } } }, 'by name')
    log.info({ headers: { 'seatwise-ticket': 'named-4', cookie: 'named-5' } }, 'by name')
    log.info({ err: new Error(`cannot reach ${env.DATABASE_URL} with db-secret!`) }, 'by value')
    log.info(`secret ${secret.toString('base64')} and redis-secret and mail-secret`)
    log.info('authorization: Bearer shaped-1, eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.shaped_2, amqp://me:shaped-3@mq/x')
    const output = lines.join('')
    expect(lines).toHaveLength(5)
    expect(output).not.toMatch(/named-\d|(db|redis|mail)-secret|shaped/)
    expect(output).not.toContain(secret.toString('base64'))
    expect(output).toContain('amqp://[hidden]@mq/x')
  })
})
