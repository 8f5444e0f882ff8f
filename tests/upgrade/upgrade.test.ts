import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type PostgresDatabase,
  postgresDatabase,
  redisUrl,
  removeFolder,
  SECRET,
  type Server,
  startServer,
  temporaryFolder,
} from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http, openSale, type SaleOfShop } from '../crash/shop.ts'
import { Buyers } from './buyers.ts'
import { lastRelease, laterRelease, type Release, thisRelease } from './releases.ts'

const EXPANSION = `-- What a later version may add.
alter table reservations add column remark text not null default '';
create table remarks (reservation_id uuid primary key references reservations (id), words text);
create index reservations_with_remark on reservations (id) where remark <> '';
`
const CONTRACTION = `-- What a version after that may take away again.
-- Works with programs from schema 900 on.
drop table remarks;
alter table reservations drop column remark;
`

let folder: string
let database: PostgresDatabase
let last: Release
let current: Release
let sale: SaleOfShop
let buyers: Buyers
const running = new Set<Server>()

beforeAll(async () => {
  folder = await temporaryFolder()
  ;[database, last, current] = await Promise.all([postgresDatabase(), lastRelease(folder), thisRelease(folder)])
}, 120_000)
afterAll(async () => {
  await buyers?.stop()
  await Promise.all([...running].map((server) => server.discard()))
  await database?.drop()
  await http.close()
  await removeFolder(folder)
})

const env = () => ({ DATABASE_URL: database.url, REDIS_URL: redisUrl(), SEATWISE_SECRET: SECRET })

/** As an orchestrator starts one: it is asked once it is ready. */
async function start(release: Release): Promise<Server> {
  const server = await startServer({ mode: 'distributed', databaseUrl: database.url, program: release.program })
  running.add(server)
  return server
}

/** As an orchestrator stops one: no request is sent to it any more, and those under way are finished. */
async function stop(server: Server): Promise<void> {
  expect((await server.stop()).code).toBe(0)
  running.delete(server)
  await server.discard()
}

async function expectSound(...releases: readonly Release[]): Promise<void> {
  for (const release of releases) {
    const { code, output } = await release.run(['verify', '--event', sale.eventId], env())
    expect([release.name, code, output]).toEqual([release.name, 0, expect.stringContaining('held')])
  }
}

it('[Y118] servers of the last release and of this one sell side by side, while one replaces the other and back', async () => {
  const [old1, old2] = [await start(last), await start(last)]
  sale = await openSale(old1, 3_000)
  buyers = new Buyers(sale, [old1, old2])
  await buyers.goOnWith(old1, old2)

  // Forwards: the first new one migrates the ledger below the old ones.
  const new1 = await start(current)
  await buyers.goOnWith(old1, old2, new1)
  await buyers.goOnWith(old2, new1)
  await stop(old1)
  const new2 = await start(current)
  await buyers.goOnWith(old2, new1, new2)
  await buyers.goOnWith(new1, new2)
  await stop(old2)

  // One step back: the old program starts on what the new one made of the ledger.
  const back1 = await start(last)
  await buyers.goOnWith(new1, new2, back1)
  await buyers.goOnWith(new2, back1)
  await stop(new1)
  await buyers.goOnWith(back1)
  await stop(new2)
  await expectSound(last, current)

  // And forwards again, which finds nothing to migrate.
  const again = await start(current)
  await buyers.goOnWith(back1, again)
  await buyers.goOnWith(again)
  await stop(back1)
  expect(buyers.failures).toEqual([])
}, 240_000)

it('[Y119] a later version expands and one after it contracts, under load, and no older program works with what is gone', async () => {
  const next = await laterRelease(folder, 'next', { '900-expansion.sql': EXPANSION })
  const after = await laterRelease(folder, 'after', {
    '900-expansion.sql': EXPANSION,
    '901-contraction.sql': CONTRACTION,
  })
  const [now] = [...running] as [Server]

  const plan = await after.run(['migrate', '--plan'], env())
  expect([plan.code, plan.output]).toEqual([
    0,
    expect.stringMatching(/must know schema 900 or later\. Connected are some/),
  ])
  const next1 = await start(next)
  await buyers.goOnWith(now, next1)
  const early = await after.run(['migrate'], env())
  expect([early.code, early.output]).toEqual([
    1,
    expect.stringContaining('Replace them by programs that know schema 900'),
  ])
  await buyers.goOnWith(next1)
  await stop(now)

  const after1 = await start(after)
  await buyers.goOnWith(next1, after1)
  const { code, output } = await current.run(['serve'], { ...env(), PORT: '0' })
  expect([code, output]).toEqual([1, expect.stringContaining('Start a program that knows version 900 or later')])
  await buyers.goOnWith(after1)
  await stop(next1)
  await buyers.stop()
  expect(buyers.failures).toEqual([])
  await expectSound(next, after)
}, 240_000)

it('[Y118] the last release is one that knows where it comes from', () => {
  expect(existsSync(join(import.meta.dirname, 'last-release.tgz'))).toBe(true)
  const { version, commit } = JSON.parse(readFileSync(join(import.meta.dirname, 'last-release.json'), 'utf8'))
  expect([version, commit]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/), expect.stringMatching(/^[0-9a-f]{40}$/)])
})
