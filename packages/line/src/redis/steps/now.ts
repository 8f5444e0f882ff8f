import assert from 'node:assert/strict'
import { ROOM_DEFAULTS, type RoomSettings, rankMapRanks } from '@seatwise/domain'
import type { RoomAt, RoomNow } from '../../contract.ts'
import { isSoldOut } from '../../room-state.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { listIn, numberIn, textIn, textsIn } from '../wire/reply.ts'
import { memberOf } from '../wire/words.ts'

/** Runs now.lua. */
export async function now(scripts: Scripts, at: RoomAt): Promise<RoomNow> {
  const reply = listIn(await scripts.run('now', at, [at.epoch, at.seenSeq]))
  const numbers = reply.slice(0, 12).map(numberIn)
  const [seq = 0, clock = 0, waiting = 0, away = 0, floor = 0, admitted = 0, nextNumber = 0] = numbers
  const [paused, trimmedSeq = 0, logMax = 1, taken = 0, promised = 0] = numbers.slice(7)
  const [settings, message, held, opensAt, closesAt, joinsFrom, draw, drawnBelow, ...counts] = listIn(reply[12])
  const { stock, heldSeats, stockVersion } = countsIn(counts)
  return {
    epoch: at.epoch,
    seq,
    now: clock,
    waiting,
    away,
    floor,
    admitted,
    active: floor - admitted,
    nextNumber,
    paused: paused === 1,
    held: textOrNull(held),
    soldOut: isSoldOut({ stock, heldSeats }),
    message: textOrNull(message),
    opensAt: Number(textIn(opensAt)),
    closesAt: Number(textIn(closesAt)),
    joinsFrom: joinsFrom === null ? null : Number(textIn(joinsFrom)),
    draw: draw === null ? null : memberOf(['announced', 'sealed', 'revealed'] as const, draw),
    drawnBelow: drawnBelow === null ? 0 : Number(textIn(drawnBelow)),
    stock,
    heldSeats,
    stockVersion,
    taken,
    promised,
    settings: settingsIn(textIn(settings)),
    logFill: (seq - trimmedSeq) / logMax,
    samples: samplesOf(waiting, textsIn(reply[13])),
  }
}

/** The script samples the same ranks as the domain; their number is checked. */
function samplesOf(waiting: number, places: readonly string[]): RoomNow['samples'] {
  const ranks = rankMapRanks(waiting)
  assert.equal(places.length, ranks.length)
  return ranks.map((rank, index) => ({ rank, place: Number(places[index]) }))
}

function settingsIn(json: string): RoomSettings {
  const settings: unknown = JSON.parse(json)
  assert(typeof settings === 'object' && settings !== null)
  // Written by load.ts and change.ts, from typed settings.
  return { ...ROOM_DEFAULTS, ...(settings as RoomSettings) }
}

function countsIn([stock, heldSeats, stockVersion]: unknown[]) {
  return {
    stock: stock === null ? null : Number(textIn(stock)),
    heldSeats: Number(textIn(heldSeats)),
    stockVersion: Number(textIn(stockVersion)),
  }
}

function textOrNull(reply: unknown): string | null {
  return reply === null ? null : textIn(reply)
}
