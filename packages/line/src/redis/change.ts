import type { RoomAt, RoomChange } from '../contract.ts'
import { numberIn } from './reply.ts'
import type { Scripts } from './scripts.ts'
import { escapeText } from './text.ts'

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
