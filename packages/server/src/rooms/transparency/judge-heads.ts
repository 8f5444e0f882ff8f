import { SeatwiseError } from '@seatwise/domain'
import { type Ledger, rootsOfHeads } from '@seatwise/ledger'
import type { Logger } from 'pino'
import type { SigningKeys } from '../../identity/index.ts'
import { type CheckpointOf, readCheckpoint } from './checkpoint.ts'
import type { Head } from './room-heads.ts'

/** `known`: all are heads of this room's log as the ledger has it, where each extends the one before. */
export type ReportedHeads = 'known' | 'conflict'

/**
 * Judges heads that a client reports as contradicting each other, or as that of a receipt that proves nothing. Only what a key of this site signed counts, so that
 * no report can be made up: such a head that the ledger does not have is evidence of a second history. Rule N65.
 */
export async function judgeHeads(
  { ledger, keys, log }: { readonly ledger: Ledger; readonly keys: SigningKeys; readonly log: Logger },
  room: string,
  heads: readonly Head[],
): Promise<ReportedHeads> {
  const said = heads.map((head) => readHead(keys, room, head))
  const roots = await rootsOfHeads(
    ledger.db,
    room,
    said.map(({ size }) => size),
  )
  const strange = said.filter(({ size, root }) => roots.get(size) !== Buffer.from(root).toString('hex'))
  if (strange.length === 0) return 'known'
  const sizes = said.map(({ size }) => size)
  log.error({ room, sizes, checkpoints: heads.map(({ checkpoint }) => checkpoint) }, 'a signed head is not of this log')
  return 'conflict'
}

function readHead(keys: SigningKeys, room: string, { kid, checkpoint }: Head): CheckpointOf {
  const key = keys.verifier(kid)
  const said = key === null ? null : readCheckpoint(checkpoint, key)
  if (said === null || !said.origin.endsWith(`/rooms/${room}`)) {
    throw new SeatwiseError('BAD_REQUEST', { message: 'body/heads must be heads that this site signed for this room' })
  }
  return said
}
