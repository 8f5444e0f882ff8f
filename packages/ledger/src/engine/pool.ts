import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { ConnectionCounts } from './ledger.ts'
import { type Call, preparedName, TOGETHER } from './statement.ts'

/** `stream` may be anything that behaves like a socket; the declarations know sockets only, and no pipeline. */
export type PoolConfig = Omit<pg.PoolConfig, 'stream'> & { readonly stream?: () => Duplex; readonly pipeline?: boolean }

const INT8 = 20
const INT8_ARRAY = 1016
const TEXT_ARRAY: number = 1009

/** Opens a pool of connections whose values are alike on every engine. */
export function openPool(config: PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    application_name: 'seatwise',
    types: { getTypeParser },
    Client: PreparingClient,
    ...config,
  } as pg.PoolConfig)
  // A connection that breaks fails the statement under way, and the pool replaces it. It also emits an error, in use or
  // not, which would end the process if nobody listened.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Does what Kysely has no words for: statements that the connection keeps prepared, known by their texts, several
 * statements at once, and transactions that begin with their first statement and end with their last. Each answer that
 * need not be waited for is a turn of a busy server in which a lock is held for nothing.
 */
class PreparingClient extends pg.Client {
  /** Whether statements may be sent before the one before was answered; the declarations do not know it yet. */
  declare readonly pipeline: boolean
  /** The commit that Kysely is about to ask for was sent with the last statements, and done. */
  #hasCommitted = false

  // The declarations list twelve ways to call it, and each returns what it returned before.
  override query(...given: unknown[]): never {
    const [text, values, ...rest] = given
    if (this.#hasCommitted) return this.#endCommitted(text) as never
    if (text === TOGETHER) return this.#queryTogether(...(values as TogetherValues)) as never
    if (text === 'begin' && this.pipeline) return this.#begin() as never
    const name = typeof text === 'string' ? preparedName(text) : undefined
    const query = super.query as (...passed: unknown[]) => never
    return name === undefined ? query.apply(this, given) : query.call(this, { name, text, values }, ...rest)
  }

  /** If this fails, the next statement does, too. */
  async #begin(): Promise<{ command: string; rows: unknown[] }> {
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    super.query('begin').catch(() => {})
    return { command: 'BEGIN', rows: [] }
  }

  async #endCommitted(text: unknown): Promise<{ command: string; rows: unknown[] }> {
    this.#hasCommitted = false
    if (text === 'commit') return { command: 'COMMIT', rows: [] }
    throw new Error('A statement came after the commit of its transaction.')
  }

  async #queryTogether(calls: readonly Call[], commit?: 'and commit'): Promise<{ rows: unknown[][] }> {
    const rows = this.pipeline ? await this.#sendAll(calls, commit) : await this.#sendEach(calls, commit)
    this.#hasCommitted = commit !== undefined
    return { rows }
  }

  async #sendAll(calls: readonly Call[], commit?: 'and commit'): Promise<unknown[][]> {
    const { stream } = this.connection
    stream.cork()
    const asked = calls.map(({ statement, parameters }) => this.#ask(statement.sql, parameters))
    if (commit !== undefined) asked.push(this.#ask('commit'))
    stream.uncork()
    // All are waited for: whoever goes on after a failure must not meet what is still under way. A commit behind a
    // statement that failed undoes everything.
    const answers = await Promise.allSettled(asked)
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      return answer.value.rows
    })
  }

  async #sendEach(calls: readonly Call[], commit?: 'and commit'): Promise<unknown[][]> {
    const rows: unknown[][] = []
    for (const { statement, parameters } of calls) rows.push((await this.#ask(statement.sql, parameters)).rows)
    if (commit !== undefined) await this.#ask('commit')
    return rows
  }

  #ask(sql: string, parameters?: readonly unknown[]): Promise<{ rows: unknown[] }> {
    return this.query(sql, parameters)
  }
}

type TogetherValues = [calls: readonly Call[], commit?: 'and commit']

export function countConnections(pool: pg.Pool): ConnectionCounts {
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

function getTypeParser(oid: number, format: 'text' | 'binary' = 'text'): (value: string) => unknown {
  if (format === 'text' && oid === INT8) return parseInt8
  if (format === 'text' && oid === INT8_ARRAY) return parseInt8Array
  return pg.types.getTypeParser(oid, format)
}

/** Money, epochs and sequences are numbers in our code. One that a number cannot hold exactly is a bug, not a rounding. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`The ledger holds ${text}, which a number cannot hold exactly.`)
  }
  return value
}

function parseInt8Array(text: string): (number | null)[] {
  const parse: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY)
  return parse(text).map((element) => (element === null ? null : parseInt8(element)))
}
