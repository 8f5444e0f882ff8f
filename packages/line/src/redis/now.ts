import assert from 'node:assert/strict'
import { ROOM_DEFAULTS, type RoomSettings, rankMapRanks } from '@seatwise/domain'
import type { RoomAt, RoomNow } from '../contract.ts'
import { listIn, numberIn, textIn, textsIn } from './reply.ts'
import type { Scripts } from './scripts.ts'

/** Runs now.lua. */
export async function now(scripts: Scripts, at: RoomAt): Promise<RoomNow> {
  const reply = listIn(await scripts.run('now', at, [at.epoch, at.seenSeq]))
  const numbers = reply.slice(0, 11).map(numberIn)
  const [seq = 0, clock = 0, waiting = 0, away = 0, floor = 0, admitted = 0, nextNumber = 0] = numbers
  const [paused, soldOut, trimmedSeq = 0, logMax = 1] = numbers.slice(7)
  const [settings, message, held, opensAt, closesAt, stock] = listIn(reply[11])
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
    soldOut: soldOut === 1,
    message: textOrNull(message),
    opensAt: Number(textIn(opensAt)),
    closesAt: Number(textIn(closesAt)),
    stock: stock === null ? null : Number(textIn(stock)),
    settings: settingsIn(textIn(settings)),
    logFill: (seq - trimmedSeq) / logMax,
    samples: samplesOf(waiting, textsIn(reply[12])),
  }
}

/** The script walks the same ranks as the domain; what it found there is checked for its number. */
function samplesOf(waiting: number, places: readonly string[]): RoomNow['samples'] {
  const ranks = rankMapRanks(waiting)
  assert.equal(places.length, ranks.length)
  return ranks.map((rank, index) => ({ rank, place: Number(places[index]) }))
}

function settingsIn(json: string): RoomSettings {
  const settings: unknown = JSON.parse(json)
  assert(typeof settings === 'object' && settings !== null)
  // Written by ourselves in begin-load and change, from typed settings.
  return { ...ROOM_DEFAULTS, ...(settings as RoomSettings) }
}

function textOrNull(reply: unknown): string | null {
  return reply === null ? null : textIn(reply)
}
