import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { LineLost } from '../../contract.ts'
import type { RedisConnection } from '../connection/connection.ts'
import { roomKeys } from './keys.ts'

const FOLDER = new URL('../../../lua/', import.meta.url)

/** The room and epoch of a step. */
export interface At {
  room: string
  epoch: number
}

/** Runs the scripts of `lua/` by name, on one connection and under one prefix. */
export class Scripts {
  readonly connection: RedisConnection
  readonly prefix: string
  readonly #scripts = loadScripts()

  constructor(connection: RedisConnection, prefix: string) {
    this.connection = connection
    this.prefix = prefix
  }

  /** Runs a script of a room once. It is sent again only when Redis did not know the script, and so ran nothing. Rule L37. */
  async run(
    name: string,
    { room, epoch }: At,
    args: readonly (string | number)[],
    moreKeys: readonly string[] = [],
  ): Promise<unknown> {
    const script = this.#scripts.get(name)
    assert(script !== undefined, `There is no script ${name}.lua`)
    const keys = [...roomKeys(this.prefix, room, epoch), ...moreKeys]
    const rest = [String(keys.length), ...keys, ...args.map(String)]
    const [key = ''] = keys
    try {
      return await this.connection.send(key, ['EVALSHA', script.sha, ...rest]).catch((error: unknown) => {
        if (!isScriptUnknown(error)) throw error
        return this.connection.send(key, ['EVAL', script.source, ...rest])
      })
    } catch (error) {
      throw lossIn(error, room) ?? error
    }
  }
}

function isScriptUnknown(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}

function lossIn(error: unknown, room: string): LineLost | null {
  const [, why] = (error instanceof Error && /^LINELOST (missing|other-epoch|regressed)/.exec(error.message)) || []
  return why === 'missing' || why === 'other-epoch' || why === 'regressed' ? new LineLost(room, why) : null
}

interface Script {
  readonly source: string
  readonly sha: string
}

function loadScripts(): Map<string, Script> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(isScript)
  return new Map(
    files.map((file) => {
      const source = composeScript(file)
      return [basename(file, '.lua'), { source, sha: createHash('sha1').update(source).digest('hex') }]
    }),
  )
}

/** Fragments in `includes/` are parts of scripts, not scripts. */
function isScript(file: string): boolean {
  return file.endsWith('.lua') && !file.startsWith('includes')
}

/**
 * Composes a script from the fragments that its first line names (`--- include: room, ticket`), and the fragments these
 * name, each once and before the code that needs it.
 */
function composeScript(file: string): string {
  const parts: string[] = []
  const seen = new Set<string>()
  const add = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const source = readFileSync(new URL(path, FOLDER), 'utf8')
    const [, includes = ''] = /^--- include: (.+)\n/.exec(source) ?? []
    for (const include of includes.split(', ').filter((name) => name !== '')) add(`includes/${include}.lua`)
    parts.push(source)
  }
  add(file)
  return parts.join('\n')
}
