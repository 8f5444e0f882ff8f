import { readFileSync, writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Child,
  findBinary,
  freePort,
  type PostgresDatabase,
  postgresDatabase,
  redisUrl,
  removeFolder,
  SECRET,
  type Server,
  seatwiseProgram,
  startChild,
  startServer,
  temporaryFolder,
  unprivilegedUser,
  waitUntil,
} from '@seatwise/testbench'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http, openSale, type SaleOfShop } from '../crash/shop.ts'
import { Buyers } from '../upgrade/buyers.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8')
const block = (begin: string): string => new RegExp(`\`\`\`text\\n(${begin}[\\s\\S]+?)\`\`\``).exec(guide)?.[1] ?? ''

let folder: string
let database: PostgresDatabase
let pooler: Child
let startPooler: () => Promise<Child>
let url: string
const running: Server[] = []

beforeAll(async () => {
  const user = unprivilegedUser()
  folder = await temporaryFolder(user)
  database = await postgresDatabase('migrated')
  const port = await freePort()
  const { hostname, port: behind, pathname } = new URL(database.url)
  const published = block('; pgbouncer.ini')
  expect(published).toContain('pool_mode = session')
  const there = `${pathname.slice(1)} = host=${hostname} port=${behind} user=seatwise`
  const here = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\nunix_socket_dir =\n`
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `[databases]\n${there}\n${published}${here}`)
  if (user !== undefined) await chown(file, user.uid, user.gid)
  const folders = `${process.env.PATH}:/usr/sbin`
  const program = findBinary('pgbouncer', 'PgBouncer (Debian: apt-get install pgbouncer)', folders)
  startPooler = () => startChild('pgbouncer', program, [file], { user, cwd: folder })
  pooler = await startPooler()
  url = `postgres://seatwise@127.0.0.1:${port}${pathname}`
}, 90_000)
afterAll(async () => {
  for (const server of running) await server.discard()
  await pooler?.stop()
  await database?.drop()
  await http.close()
  await removeFolder(folder)
})

async function doctor(): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: url, REDIS_URL: redisUrl(), SEATWISE_SECRET: SECRET }
  const child = await startChild('doctor', process.execPath, [...(await seatwiseProgram()), 'doctor'], { env })
  await child.exited
  return child.output()
}

it('[Y38] a pooler that drops what a session begins with is bad, until the role has it', async () => {
  await waitUntil('the pooler answers', async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.end()
    return true
  })
  expect(await doctor()).toMatch(/^bad +ledger pooler/m)
  const client = new Client({ connectionString: database.url })
  await client.connect()
  for (const statement of block('alter role').split('\n').filter(Boolean)) {
    await client.query(
      statement.replace('role shop in database sale', `role seatwise in database ${new URL(url).pathname.slice(1)}`),
    )
  }
  await client.end()
  // Sessions that it has open were begun before.
  await pooler.stop()
  pooler = await startPooler()
})

it('[Y38] two servers sell through it', async () => {
  const start = () => startServer({ mode: 'distributed', databaseUrl: url })
  running.push(...(await Promise.all([start(), start()])))
  const [one, other] = running as [Server, Server]
  const sale: SaleOfShop = await openSale(one)
  const buyers = new Buyers(sale, [one, other])
  await buyers.goOnWith(one, other)
  await buyers.stop()
  expect(buyers.failures).toEqual([])
  expect(await doctor()).toMatch(/^good +ledger pooler/m)
})
