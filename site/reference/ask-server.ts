import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../papers.ts'

const COMMAND = join(root, 'packages/cli/bin/seatwise.mjs')
const START_MS_MAX = 60_000

/** An operation as a server describes it. */
export interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>
}

export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export type Routes = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Starts a server with an empty folder, asks it for its routes and measurements, and stops it. */
export async function askServer(): Promise<{ routes: Routes; metrics: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'seatwise-docs-'))
  const env = { PATH: process.env.PATH, PORT: '0', SEATWISE_DATA_DIR: folder, SEATWISE_LOG_LEVEL: 'error' }
  const server = spawn(process.execPath, [COMMAND, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await addressOf(server)
    const [description, metrics] = await Promise.all([fetch(`${url}/openapi.json`), fetch(`${url}/metrics`)])
    const { paths } = (await description.json()) as { paths: Routes }
    return { routes: paths, metrics: await metrics.text() }
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    await rm(folder, { recursive: true })
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let said = ''
  const limit = AbortSignal.timeout(START_MS_MAX)
  for (;;) {
    const [, url] = /Events\s+(http:\/\/[^\s/]+)/.exec(said) ?? []
    if (url !== undefined) return url
    const [chunk] = (await once(stdout as NonNullable<typeof stdout>, 'data', { signal: limit })) as [Buffer]
    said += chunk.toString()
  }
}
