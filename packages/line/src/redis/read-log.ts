import assert from 'node:assert/strict'
import type { RoomAt } from '../contract.ts'
import type { LogEntry } from '../log-entry.ts'
import type { DecodedSteps } from './decoded-steps.ts'
import { roomKey } from './keys.ts'
import { listIn, numberIn } from './reply.ts'
import type { Scripts } from './scripts.ts'

/** Runs read-log.lua; when there is nothing yet, waits for the stream on a connection of its own and asks once more. */
export async function readLog(
  scripts: Scripts,
  steps: DecodedSteps,
  at: RoomAt,
  afterSeq: number,
  { limit, waitMs }: { limit: number; waitMs: number },
): Promise<LogEntry[]> {
  assert(limit > 0, `At least one entry must be asked for, not ${limit}`)
  const key = roomKey(scripts.prefix, at.room, at.epoch, 'log')
  const read = () => readNow(scripts, steps, key, { at, afterSeq, limit })
  const entries = await read()
  if (entries.length > 0 || waitMs <= 0) return entries
  const blockMs = Math.ceil(waitMs)
  const isAnswered = await scripts.connection.sendBlocking(
    key,
    ['XREAD', 'COUNT', '1', 'BLOCK', String(blockMs), 'STREAMS', key, `${at.epoch}-${afterSeq}`],
    blockMs,
  )
  return isAnswered ? read() : []
}

async function readNow(
  scripts: Scripts,
  decoded: DecodedSteps,
  key: string,
  { at, afterSeq, limit }: { at: RoomAt; afterSeq: number; limit: number },
): Promise<LogEntry[]> {
  const reply = await scripts.run('read-log', at, [at.epoch, at.seenSeq, afterSeq, limit])
  const [after, steps] = listIn(reply)
  return listIn(steps)
    .flatMap((step) => decoded.entriesOf(key, listIn(step)))
    .filter(({ seq }) => seq > numberIn(after))
    .slice(0, limit)
}
