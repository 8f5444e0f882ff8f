import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { ConnectionCounts } from './ledger.ts'

/** `stream` may be anything that behaves like a socket; the declarations of `pg` know sockets only. */
export type PoolConfig = Omit<pg.PoolConfig, 'stream'> & { readonly stream?: () => Duplex }

const INT8 = 20
const INT8_ARRAY = 1016
const TEXT_ARRAY: number = 1009

/** Opens a pool of connections that read values alike on every engine. */
export function openPool(config: PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    application_name: 'seatwise',
    types: { getTypeParser },
    ...config,
  } as pg.PoolConfig)
  // A connection that breaks fails the statement under way, and the pool replaces it. It also emits an error, in use or
  // not, which would end the process without a listener.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
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
