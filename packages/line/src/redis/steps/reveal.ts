import type { Revealing, RoomAt } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { numberIn } from '../wire/reply.ts'

/** Runs reveal.lua. */
export async function reveal(
  scripts: Scripts,
  at: RoomAt,
  { secret, signature, lastPlaces }: Revealing,
): Promise<{ seq: number }> {
  const line = `revealed\t${JSON.stringify({ secret, signature })}`
  const seq = await scripts.run('reveal', at, [at.epoch, at.seenSeq, ...lastPlaces.slice(1), line])
  return { seq: numberIn(seq) }
}
