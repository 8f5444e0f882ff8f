import assert from 'node:assert/strict'
import type { RangeItem, RoomAt, TicketClass } from '../../contract.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { listIn, numberIn, textIn } from '../wire/reply.ts'
import { readShown } from '../wire/shown.ts'

const RANGE_MAX = 200

/** Runs range.lua. */
export async function range(scripts: Scripts, at: RoomAt, fromRank: number, toRank: number): Promise<RangeItem[]> {
  assert(fromRank >= 0, `Ranks count from 0, not ${fromRank}`)
  const last = Math.min(toRank, fromRank + RANGE_MAX - 1)
  if (last < fromRank) return []
  const items = listIn(await scripts.run('range', at, [at.epoch, at.seenSeq, fromRank, last]))
  assert(items.length <= RANGE_MAX)
  return items.map((item, index) => readItem(listIn(item), fromRank + index))
}

function readItem([number, place, ticketClass, shown]: unknown[], rank: number): RangeItem {
  return {
    number: numberIn(number),
    place: Number(textIn(place)),
    rank,
    class: numberIn(ticketClass) as TicketClass,
    shown: shown === null || shown === undefined ? null : readShown(textIn(shown)),
  }
}
