import type { LogHead } from '@seatwise/ledger'
import type { Head } from './room-heads.ts'

/** A head as it is served. */
export function toldHead({ size, root, at, kid, checkpoint }: LogHead): Head {
  return { size, root: Buffer.from(root).toString('hex'), at: at.toISOString(), kid, checkpoint }
}
