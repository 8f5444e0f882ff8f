import pg from 'pg'

export type PoolConfig = pg.PoolConfig

const INT8 = 20
const INT8_ARRAY = 1016

/** A pool whose values are alike on every engine; see `parseInt8`. */
export function openPool(config: PoolConfig): pg.Pool {
  const pool = new pg.Pool({ application_name: 'seatwise', types: { getTypeParser }, ...config })
  // A connection that breaks while idle is replaced by the pool; without a listener Node would end the process.
  pool.on('error', () => {})
  return pool
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary' && oid === INT8) return parseInt8
  if (format !== 'binary' && oid === INT8_ARRAY) return parseInt8Array
  return pg.types.getTypeParser(oid, format ?? 'text')
}

/** Money, epochs and sequences are numbers in our code. One that a number cannot hold exactly is a bug, not a rounding. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The ledger holds ${text}, which a number cannot hold exactly.`)
  return value
}

function parseInt8Array(text: string): (number | null)[] {
  return pg.types.arrayParser(text, parseInt8)
}
