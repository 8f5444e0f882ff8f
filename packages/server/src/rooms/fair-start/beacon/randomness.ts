import { hash } from 'node:crypto'
import { draws, type Ledger } from '@seatwise/ledger'
import type { DrawNote } from '@seatwise/line'
import { type Beacon, roundAfter, timeOfRound } from '../../../config/index.ts'
import { runInThread } from '../run-in-thread.ts'
import { readRound } from './read-round.ts'
import type { BeaconRound } from './verify-round.ts'

/** What a draw knows of its round. */
export type Randomness =
  | { readonly status: 'known'; readonly signature: string; readonly bytes: Buffer }
  /** Not yet: no head covers the seal, or the round is not published. */
  | { readonly status: 'awaited' }
  /** The seal was signed too late for its round: this one must be announced instead. */
  | { readonly status: 'late'; readonly round: number }

export interface RandomnessParts {
  readonly ledger: Pick<Ledger, 'db'>
  readonly room: string
  readonly beacon: Beacon
}

/** The randomness of the announced round, once a signed head covered the seal before the round existed. Rules J11, J12. */
export async function randomnessOf(
  { ledger, room, beacon }: RandomnessParts,
  draw: draws.DrawRow,
  treeSize: number,
): Promise<Randomness> {
  const { round } = draw.note
  if (round === undefined) throw new Error('The log announced a draw by a beacon without its round')
  const chain = requireChain(beacon, draw.note)
  const coveredAt = await draws.readCoveredAt(ledger.db, room, treeSize + 1)
  if (coveredAt === null) return { status: 'awaited' }
  if (coveredAt >= timeOfRound(chain, round)) return { status: 'late', round: roundAfter(chain, coveredAt) }
  // What an operator brought may be of a round that was replaced since.
  const isBrought = draw.signature !== null && (await verifyRound({ chain, round, signature: draw.signature }))
  const signature = isBrought ? draw.signature : await readRound(beacon, round)
  if (signature === null || !(isBrought || (await verifyRound({ chain, round, signature }))))
    return { status: 'awaited' }
  if (!isBrought) await draws.noteDraw(ledger.db, { room, commitment: draw.commitment }, { signature })
  return { status: 'known', signature, bytes: hash('sha256', Buffer.from(signature, 'hex'), 'buffer') }
}

/** Off the event loop. */
export async function verifyRound(round: BeaconRound): Promise<boolean> {
  return await runInThread<boolean>(new URL('./beacon-thread.ts', import.meta.url), 'beacon', round)
}

/** Never another source than the announced one. */
export function requireChain({ chain }: Beacon, note: DrawNote): Beacon['chain'] {
  if (note.chain !== chain.hash) throw new Error('The draw was announced with another beacon than SEATWISE_DRAND_CHAIN')
  return chain
}
