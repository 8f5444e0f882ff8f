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
 * Does what Kysely has no words for: statements that the connection keeps prepared, known by their texts, and several
 * statements at once.
 */
class PreparingClient extends pg.Client {
  /** Whether statements may be sent before the one before was answered; the declarations do not know it yet. */
  declare readonly pipeline: boolean

  // The declarations list twelve ways to call it, and each returns what it returned before.
  override query(...given: unknown[]): never {
    const [text, values, ...rest] = given
    if (text === TOGETHER) return this.#queryTogether(...(values as [readonly Call[]])) as never
    const name = typeof text === 'string' ? preparedName(text) : undefined
    const query = super.query as (...passed: unknown[]) => never
    return name === undefined ? query.apply(this, given) : query.call(this, { name, text, values }, ...rest)
  }

  async #queryTogether(calls: readonly Call[]): Promise<{ rows: unknown[][] }> {
    const rows: unknown[][] = []
    if (!this.pipeline) {
      for (const { statement, parameters } of calls) rows.push((await this.#ask(statement.sql, parameters)).rows)
      return { rows }
    }
    // All are waited for: whoever goes on after a failure must not meet what is still under way.
    const asked = await Promise.allSettled(
      calls.map(({ statement, parameters }) => this.#ask(statement.sql, parameters)),
    )
    for (const answer of asked) {
      if (answer.status === 'rejected') throw answer.reason
      rows.push(answer.value.rows)
    }
    return { rows }
  }

  #ask(sql: string, parameters: readonly unknown[]): Promise<{ rows: unknown[] }> {
    return this.query(sql, parameters)
  }
}

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
