import { readFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import {
  connectToRunningServer,
  type Ledger,
  type LocalServer,
  openLedger,
  runStatement,
  writeServerFile,
} from '@seatwise/ledger'
import {
  copyLedgerTemplate,
  expectFields,
  freePort,
  removeFolder,
  shape,
  startServer,
  temporaryFolder,
  waitUntil,
} from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalApi, startLocalApi } from '../../src/main/start-local-api.ts'

let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => removeFolder(folder))

describe('a tool beside a running server', () => {
  let ledger: Ledger
  let api: LocalApi
  let server: LocalServer
  beforeAll(async () => {
    await copyLedgerTemplate(folder)
    ledger = await openLedger({ kind: 'pglite', dataDir: folder })
    await run('create table facts (n bigint, at timestamptz, body jsonb)')
    await run('create sequence numbers')
    await run(`insert into facts values (1, '2026-11-15T10:00:00Z', '{"at": "2026-11-15T10:00:00Z"}'), (2, null, null)`)
    const startedAt = new Date('2026-11-15T09:00:00Z')
    const url = (): string => 'http://127.0.0.1:3000'
    api = await startLocalApi({ ledger, dataDir: folder, version: '1.2.3', url, startedAt })
    server = found(await connectToRunningServer(folder))
  })
  afterAll(async () => {
    await api.close()
    await ledger.close()
  })

  test('[D27] a tool reads which server is running', () => {
    expect(server.status).toEqual({
      version: '1.2.3',
      pid: process.pid,
      schemaVersion: 0,
      startedAt: '2026-11-15T09:00:00.000Z',
      url: 'http://127.0.0.1:3000',
    })
  })

  test('[D27] it reads the same values as the ledger itself', async () => {
    const statement = 'select n, at, body from facts order by n'
    expect(await server.query(statement)).toEqual(await run(statement))
    expect(await server.query('select n from facts where n = $1 -- a comment at the end', [2])).toEqual([{ n: 2 }])
  })

  test.each([
    ['a write', 'insert into facts values (3) returning n'],
    ['a write inside a query', 'with added as (insert into facts values (3) returning n) select n from added'],
    ['two statements', 'select 1; insert into facts values (3)'],
    ['an escape from the brackets', 'select 1) as answer; insert into facts values (3); select (1'],
    ['the end of the transaction', 'select 1) as answer limit 1; commit; drop table facts; --'],
    ['a function that writes', "select setval('numbers', 5)"],
    ['a deletion', 'delete from facts'],
    ['nonsense', 'selec'],
  ])('[D28] %s is refused and changes nothing', async (_name, statement) => {
    await expect(server.query(statement)).rejects.toThrow(/^The running server refused to read: ./)
    expect(await server.query('select count(*) as count from facts')).toEqual([{ count: 2 }])
    expect(await server.query('select last_value from numbers')).toEqual([{ last_value: 1 }])
  })

  test('[D28] ten thousand rows are returned, one more is an error', async () => {
    const rows = await server.query('select n from generate_series(1, 10000) as n order by n desc')
    expect(rows).toHaveLength(10_000)
    expect(rows[0]).toEqual({ n: 10_000 })
    await expect(server.query('select n from generate_series(1, 10001) as n')).rejects.toThrow(
      /more than 10000 rows. Ask for them page by page/,
    )
  })

  const readSecret = async (): Promise<string> =>
    expectFields(JSON.parse(await readFile(join(folder, 'server.json'), 'utf8')), { secret: shape.text }).secret

  test('[D29] a request without the secret is refused', async () => {
    const secret = await readSecret()
    const host = `127.0.0.1:${api.port}`
    expect(await statusOf({ host, authorization: `Bearer ${secret}` })).toBe(200)
    for (const authorization of [undefined, '', 'Bearer ', `Bearer ${secret}x`, `Bearer ${secret.slice(1)}`, secret]) {
      expect(await statusOf({ host, authorization })).toBe(401)
    }
  })

  test('[D29] the secret is no help under another host name', async () => {
    const secret = await readSecret()
    const authorization = `Bearer ${secret}`
    expect(await statusOf({ host: `localhost:${api.port}`, authorization })).toBe(200)
    for (const host of [
      'rebound.example',
      `rebound.example:${api.port}`,
      `127.0.0.1.example:${api.port}`,
      '127.0.0.1',
    ]) {
      expect(await statusOf({ host, authorization })).toBe(403)
    }
  })

  test('[D29] it can be reached only through the loopback address', async () => {
    const bound = createServer()
    // The same port on another address of this machine is free, so the server does not listen on all addresses.
    await new Promise<void>((resolve, reject) => {
      bound.once('error', reject)
      bound.listen(api.port, '127.0.0.2', resolve)
    })
    await new Promise((resolve) => bound.close(resolve))
  })

  function run(statement: string): Promise<unknown[]> {
    return runStatement(ledger.db, { name: 'test', sql: statement }, [])
  }

  function statusOf(headers: { host: string; authorization: string | undefined }): Promise<number | undefined> {
    const { host, authorization } = headers
    return new Promise((resolve, reject) => {
      const options = { port: api.port, host: '127.0.0.1', path: '/status', agent: false }
      const call = request({ ...options, headers: { host, ...(authorization === undefined ? {} : { authorization }) } })
      call.once('response', (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      call.once('error', reject)
      call.end()
    })
  }
})

describe('the file that shows the way', () => {
  test('[D30] without a file, or with one that a dead server left, there is no server', async () => {
    const place = await temporaryFolder()
    expect(await connectToRunningServer(place)).toBeUndefined()
    await writeServerFile(place, { pid: 1, port: await freePort(), secret: 'old' })
    expect(await connectToRunningServer(place)).toBeUndefined()
    await removeFolder(place)
  })

  test('[D27, D30] the whole server writes it for its owner, serves tools, and removes it when it stops', {
    timeout: 60_000,
  }, async () => {
    const dataDir = join(folder, 'data of a server')
    const whole = await startServer({ mode: 'embedded', dataDir })
    const path = join(dataDir, 'server.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const server = found(await connectToRunningServer(dataDir))
    expect(server.status).toMatchObject({ pid: whole.pid, url: whole.url })
    expect(server.status.schemaVersion).toBeGreaterThan(0)
    expect(await server.query('select count(*) as users from users')).toEqual([{ users: 1 }])

    await whole.kill()
    expect(await connectToRunningServer(dataDir)).toBeUndefined()

    await whole.restart()
    found(await connectToRunningServer(dataDir))
    await whole.stop()
    await waitUntil('the file is gone', () =>
      stat(path).then(
        () => false,
        () => true,
      ),
    )
    await whole.discard()
  })
})

function found(server: LocalServer | undefined): LocalServer {
  if (server === undefined) throw new Error('No server was found.')
  return server
}
