import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openBrowser, removeFolder, type Server, startServer, temporaryFolder } from '@seatwise/testbench'
import type { Browser } from 'playwright-core'

/** A server, a browser, and an operator with all rights: what pictures of pages need. */
export interface PageStage {
  readonly url: string
  readonly browser: Browser
  /** Calls the API as the first operator. */
  operate(method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: object): Promise<Record<string, unknown>>
  /** Gives an event its picture. */
  picture(eventId: string, png: Buffer, alt: string): Promise<void>
  close(): Promise<void>
}

const BUILD = join(import.meta.dirname, '../../packages/web/src/build/build-pages.ts')

/** The pages as they are in this folder now. */
export async function openPageStage(): Promise<PageStage> {
  await promisify(execFile)(process.execPath, [BUILD])
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const server = await startServer({ mode: 'embedded', dataDir, env: { SEATWISE_DEMO: 'on' } })
  const browser = await openBrowser()
  const token = await server.adminToken()
  return {
    url: server.url,
    browser,
    operate: (method, path, body) => operate(server, token, method, path, body),
    async picture(eventId, png, alt) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png', connection: 'close' }
      const query = new URLSearchParams({ alt, focusY: '70' })
      const path = `${server.url}/api/events/${eventId}/image?${query}`
      const answer = await fetch(path, { method: 'PUT', headers, body: new Uint8Array(png) })
      if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status} ${await answer.text()}`)
    },
    async close() {
      await browser.close()
      await server.discard()
      await removeFolder(folder)
    },
  }
}

async function operate(server: Server, token: string, method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...{ authorization: `Bearer ${token}`, connection: 'close' },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const told = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(told)}`)
  return told
}
