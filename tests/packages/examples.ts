import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Child, freePort, startChild, waitUntil } from '@seatwise/testbench'
import { expect } from 'vitest'
import { root } from './published.ts'
import { openPage, walkIn } from './walk-in.ts'

const run = promisify(execFile)
const SECRET = Buffer.alloc(32, 9).toString('base64')
export const EXAMPLES = ['express-shop', 'hono-worker', 'next-app', 'react-hook', 'static-page'] as const
export type Example = (typeof EXAMPLES)[number]

/** A copy of an example, inside of a folder where its packages are found. */
export function copyExample(name: Example, into: string): string {
  const folder = join(into, name)
  cpSync(join(root, 'examples', name), folder, { recursive: true })
  return folder
}

/** A copy of an example, with what its manifest names installed by npm, ours from the tarballs. */
export async function installExample(name: Example, into: string, tarballs: readonly string[]): Promise<string> {
  const folder = copyExample(name, into)
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', '--ignore-scripts']
  await run('npm', ['install', ...quiet, ...tarballs], { cwd: folder })
  return folder
}

export interface GuardedRoom {
  readonly server: { readonly url: string }
  /** Makes a room whose visitors come from this site. */
  makeRoom(target: string): Promise<string>
}

export interface Shop {
  readonly site: string
  readonly room: string
  readonly child: Child
}

/** Starts a site that is guarded by a room of its own. */
export async function openShop(
  { server, makeRoom }: GuardedRoom,
  program: string,
  args: (port: string) => readonly string[],
  cwd: string,
  says: string | null = null,
): Promise<Shop> {
  const port = String(await freePort())
  const site = `http://127.0.0.1:${port}`
  const room = await makeRoom(site)
  const env = { PATH: process.env.PATH, HOME: cwd, PORT: port, SITE_URL: site }
  const child = await startChild('a guarded shop', program, args(port), {
    cwd,
    env: { ...env, SEATWISE_URL: server.url, SEATWISE_ROOM: room, SEATWISE_GUARD_SECRET: SECRET },
  })
  await waitUntil(
    'the shop is open',
    async () =>
      (says === null || child.output().includes(says)) &&
      (await openPage(site).then(
        () => true,
        () => false,
      )),
    { timeoutMs: 30_000 },
  )
  return { site, room, child }
}

/** A visitor is sent to wait, is let in, is done, and has to wait again. */
export async function visitShop({ server }: GuardedRoom, { site, room }: Shop, finish: string): Promise<void> {
  expect(await openPage(`${site}/`)).toEqual([303, `${server.url}/rooms/${room}/wait`])
  const cookie = await walkIn(server.url, room, '/')
  const inside = await fetch(site, { headers: { cookie } })
  expect([inside.status, await inside.text()]).toEqual([200, expect.stringContaining('You are in')])
  expect(inside.headers.get('seatwise-complete')).toBeNull()
  const done = await fetch(site + finish, { method: 'POST', headers: { cookie, origin: site } })
  expect(done.status).toBeLessThan(300)
  expect(done.headers.get('seatwise-complete')).toBeNull()
  const headers = { cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate' }
  await waitUntil('the session is over', async () => {
    const again = await fetch(site, { headers, redirect: 'manual' })
    await again.body?.cancel()
    return again.status !== 200
  })
}
