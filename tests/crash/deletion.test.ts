import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import { type Ledger, runStatement } from '@seatwise/ledger'
import { connectRedis, parseRedisUrl } from '@seatwise/line'
import { dumpPostgres, redisUrl, type Server, waitUntil } from '@seatwise/testbench'
import { afterAll, expect, test } from 'vitest'
import { http, openDistributed, openEmbedded, openSale, reserve, type SaleOfShop, type Shop, send } from './shop.ts'

/** Each point once in each of the two modes, or ten times. */
const ROUNDS = process.env.SEATWISE_LONG === '1' ? 10 : 1
const PASSWORD = 'correct horse battery staple'
/** Where the law makes the seller keep who bought. */
const KEPT_TABLES = ['receipts']
/** In the log of the server that did it. */
const FINISHED = 'finished a deletion that a server had left'
afterAll(() => http.close())

/** A buyer whose name and address stand nowhere else. */
interface Leaver {
  readonly word: string
  readonly authorization: string
  readonly eticketCode: string
}

test.concurrent.each([
  // Starting an embedded server takes longest: only after the first step and before the last.
  ['embedded', openEmbedded, ['erase.after-begin', 'erase.after-ledger']],
  ['distributed', openDistributed, faultPointsOf('erase')],
] as const)(
  `[F33][A91] servers killed with -9 at every point of a deletion (%s), ${ROUNDS} times each: another one finishes it, no byte of name or address is left, books add up, and the e-ticket opens the door`,
  { timeout: ROUNDS * 180_000 },
  async (mode, open, everyPoint) => {
    const shop = await open()
    try {
      const sale = await openSale(shop.doomed)
      const alive = await shop.survivor()
      const before = await sumsOf(alive, sale)
      const points = Array.from({ length: ROUNDS }, (): readonly FaultPoint[] => everyPoint).flat()
      // All are ready before the first crash and are looked at after the last, which saves starts.
      const leavers = await Promise.all(points.map(() => leaverOf(alive, sale)))
      const words = leavers.map(({ word }) => word)
      // What is looked for afterwards is found while it is there.
      if (mode === 'distributed') expect(await wordsInDump(shop, words)).toEqual(words)
      else await waitUntil('each leaver has mail', async () => (await mailWith(shop, words)).length >= words.length)
      for (const [index, leaver] of leavers.entries()) await deleteAndCrash(shop, leaver, points[index])
      const survivor = await shop.survivor()
      for (const [index, leaver] of leavers.entries()) {
        // Rolled back: the account is as it was, and the deletion can be asked for again. All others have begun.
        const isRolledBack = points[index] === 'erase.inside-begin'
        expect((await remove(survivor, leaver)).status).toBe(isRolledBack ? 204 : 401)
      }
      const after = await sumsOf(survivor, sale)
      expect(after).toEqual({
        ...before,
        sold: leavers.length,
        revenue: [{ currency: 'EUR', amount: 4_500 * leavers.length }],
      })
      const staff = { authorization: `Bearer ${await survivor.adminToken()}` }
      for (const { eticketCode: code } of leavers) {
        expect(await send(survivor, 'POST', '/api/checkin', staff, { code })).toMatchObject({ status: 200 })
      }
      // The last one that was begun is left for the survivor in any case; stopping it waits for all others.
      if (mode === 'embedded') await waitUntil('a deletion is finished', () => survivor.output().includes(FINISHED))
      await waitUntil('every deletion is finished', () => shop.readLedger(isFinished))
      expect(await shop.readLedger((ledger) => placesOf(ledger, words))).toEqual([])
      if (mode === 'distributed') {
        expect(await wordsInDump(shop, words)).toEqual([])
        expect(await keysWith(words)).toEqual([])
      } else expect(await mailWith(shop, words)).toEqual([])
      expect((await shop.seatwise(['verify', '--event', sale.eventId])).code).toBe(0)
    } finally {
      await shop.close()
    }
  },
)

/** Buys under a name that the line shows to neighbours, too. */
async function leaverOf(server: Server, sale: SaleOfShop): Promise<Leaver> {
  const word = `marcellina${randomUUID().slice(0, 8)}`
  const email = `${word}@person.example`
  const account = { email, password: PASSWORD, name: `Dame ${word}` }
  const { body } = await send(server, 'POST', '/api/auth/register', {}, account)
  const authorization = `Bearer ${String(body.accessToken)}`
  const join = { showMe: true, metadata: { from: word } }
  await send(server, 'POST', `/api/events/${sale.eventId}/queue/join`, { authorization }, join)
  const reservationId = await reserve(server, sale, authorization)
  await send(server, 'PATCH', `/api/reservations/${reservationId}`, { authorization }, { email, name: account.name })
  const headers = { authorization, 'idempotency-key': randomUUID() }
  const paid = await send(server, 'POST', '/api/purchases', headers, { reservationId, paymentMethod: 'sandbox_ok' })
  const [eticket] = paid.body.etickets as { code: string }[]
  return { word, authorization, eticketCode: eticket?.code ?? '' }
}

const remove = (server: Server, { authorization }: Leaver) => send(server, 'DELETE', '/api/auth/me', { authorization })

async function deleteAndCrash(shop: Shop, leaver: Leaver, point: FaultPoint | undefined): Promise<void> {
  await shop.doomed.restart({ SEATWISE_FAULTS: `${point}=crash` })
  const { exited } = shop.doomed
  await expect(remove(shop.doomed, leaver)).rejects.toThrow()
  await exited
}

async function sumsOf(server: Server, { eventId }: SaleOfShop) {
  const authorization = `Bearer ${await server.adminToken()}`
  const { body } = await send(server, 'GET', `/api/events/${eventId}/sales`, { authorization })
  return { sold: body.sold, held: body.held, revenue: body.revenue }
}

/** As if the server that died had begun it a while ago: others leave a deletion to the server that runs it. */
async function isFinished({ db }: Ledger): Promise<boolean> {
  const old = `update erasures set asked_at = asked_at - interval '1 minute'`
  await runStatement(db, { name: 'age', sql: old }, [])
  const rows = await runStatement(db, { name: 'left', sql: 'select 1 from erasures' }, [])
  return rows.length === 0
}

/** The tables in which one of the words stands, whatever the column. */
async function placesOf({ db }: Ledger, words: readonly string[]): Promise<string[]> {
  const tables = await runStatement<{ name: string }>(
    db,
    {
      name: 'tables',
      sql: 'select table_name as name from information_schema.tables where table_schema = current_schema()',
    },
    [],
  )
  expect(tables.length).toBeGreaterThan(40)
  const found: string[] = []
  for (const { name } of tables) {
    const sql = `select 1 from "${name}" as line where lower(line::text) ~ $1 limit 1`
    const rows = await runStatement(db, { name: `search ${name}`, sql }, [words.join('|')])
    if (rows.length > 0 && !KEPT_TABLES.includes(name)) found.push(name)
  }
  return found
}

/** Those of the words that a copy of the database has, as text or as bytes. */
async function wordsInDump({ databaseUrl }: Shop, words: readonly string[]): Promise<string[]> {
  const dump = (await dumpPostgres(databaseUrl ?? '', KEPT_TABLES)).toLowerCase()
  expect(dump).toContain('create table')
  return words.filter((word) => dump.includes(word) || dump.includes(Buffer.from(word).toString('hex')))
}

/** The keys of Redis in which one of the words stands. */
async function keysWith(words: readonly string[]): Promise<string[]> {
  const parsed = parseRedisUrl(redisUrl())
  if (parsed.status === 'bad') throw new Error(parsed.problem)
  const redis = await connectRedis(parsed.target, { onError: () => undefined })
  const found: string[] = []
  try {
    let cursor = '0'
    do {
      const [next, keys] = (await redis.send(null, ['SCAN', cursor, 'COUNT', '1000'])) as [string, string[]]
      cursor = next
      for (const key of keys) {
        // Its whole value, whatever its type; short texts stand in it as they are.
        const dump = JSON.stringify(await readKey((command) => redis.send(key, command), key))
        if (words.some((word) => dump.includes(word))) found.push(key)
      }
    } while (cursor !== '0')
  } finally {
    await redis.close()
  }
  return found
}

async function readKey(sendCommand: (command: string[]) => Promise<unknown>, key: string): Promise<unknown> {
  const type = String(await sendCommand(['TYPE', key]))
  const commands: Record<string, string[]> = {
    string: ['GET', key],
    hash: ['HGETALL', key],
    stream: ['XRANGE', key, '-', '+'],
    set: ['SMEMBERS', key],
    zset: ['ZRANGE', key, '0', '-1'],
    list: ['LRANGE', key, '0', '-1'],
  }
  const command = commands[type]
  return command === undefined ? null : await sendCommand(command)
}

/** Copies of mail that an embedded server keeps. */
async function mailWith(shop: Shop, words: readonly string[]): Promise<string[]> {
  const folder = join(shop.dataDir ?? '', 'mailbox')
  const found: string[] = []
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const text = (await readFile(join(folder, name), 'utf8')).toLowerCase()
    if (words.some((word) => text.includes(word))) found.push(name)
  }
  return found
}
