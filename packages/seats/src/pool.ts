import type { Duplex } from 'node:stream'
import pg from 'pg'

/** `stream` may be anything that behaves like a socket; the declarations know sockets only. */
export type PoolConfig = Omit<pg.PoolConfig, 'stream'> & { readonly stream?: () => Duplex }

const INT8 = 20
const INT8_ARRAY = 1016

/** Opens a pool of connections whose values are alike on every engine. */
export function openPool(config: PoolConfig): pg.Pool {
  const pool = new pg.Pool({ application_name: 'seatwise', types: { getTypeParser }, ...config } as pg.PoolConfig)
  // A connection that breaks while nobody uses it is replaced by the pool, and whoever needs it next hears if that
  // fails. Without a listener Node would end the process.
  pool.on('error', () => {})
  return pool
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
  return pg.types.arrayParser(text, parseInt8)
}
