import type { RoomAt, RoomChange } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { numberIn } from '../wire/reply.ts'
import { escapeText } from '../wire/text.ts'

/** Runs change.lua. */
export async function change(scripts: Scripts, at: RoomAt, wanted: RoomChange): Promise<{ seq: number }> {
  const { operation, by, ...given } = wanted
  const isGiven = Object.values(given).some((value) => value !== undefined)
  const seq = await scripts.run('change', at, [
    at.epoch,
    at.seenSeq,
    escapeText(operation),
    isGiven ? JSON.stringify({ by, ...given }) : '',
  ])
  return { seq: numberIn(seq) }
}
