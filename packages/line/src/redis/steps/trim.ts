import type { RoomAt } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { numberIn } from '../wire/reply.ts'

/** Tickets forgotten in one call: about a millisecond of Redis's time. */
const BATCH = 500

/** Runs trim.lua until nothing is left to forget. */
export async function trim(scripts: Scripts, at: RoomAt, upToSeq: number, keep: number): Promise<void> {
  let more = 1
  while (more === 1) more = numberIn(await scripts.run('trim', at, [at.epoch, at.seenSeq, upToSeq, BATCH, keep]))
}
