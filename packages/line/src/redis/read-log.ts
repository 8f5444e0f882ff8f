import assert from 'node:assert/strict'
import type { RoomAt } from '../contract.ts'
import type { LogEntry } from '../log-entry.ts'
import { decodeChange } from './decode-change.ts'
import { roomKey } from './keys.ts'
import { listIn, numberIn, textIn, textsIn } from './reply.ts'
import type { Scripts } from './scripts.ts'

/** Runs read-log.lua; when there is nothing yet, waits for the stream on a connection of its own and asks once more. */
export async function readLog(
  scripts: Scripts,
  at: RoomAt,
  afterSeq: number,
  { limit, waitMs }: { limit: number; waitMs: number },
): Promise<LogEntry[]> {
  assert(limit > 0, `At least one entry must be asked for, not ${limit}`)
  const entries = await read(scripts, at, afterSeq, limit)
  if (entries.length > 0 || waitMs <= 0) return entries
  const key = roomKey(scripts.prefix, at.room, at.epoch, 'log')
  const blockMs = Math.ceil(waitMs)
  const isAnswered = await scripts.connection.sendBlocking(
    key,
    ['XREAD', 'COUNT', '1', 'BLOCK', String(blockMs), 'STREAMS', key, `${at.epoch}-${afterSeq}`],
    blockMs,
  )
  return isAnswered ? read(scripts, at, afterSeq, limit) : []
}

async function read(scripts: Scripts, at: RoomAt, afterSeq: number, limit: number): Promise<LogEntry[]> {
  const reply = await scripts.run('read-log', at, [at.epoch, at.seenSeq, afterSeq, limit])
  const [after, steps] = listIn(reply)
  return listIn(steps)
    .flatMap((step) => entriesOf(listIn(step)))
    .filter(({ seq }) => seq > numberIn(after))
    .slice(0, limit)
}

/** One entry of the stream holds the changes of one step; its id is the seq of the last one. */
function entriesOf([id, fields]: unknown[]): LogEntry[] {
  const [epoch = 0, lastSeq = 0] = textIn(id).split('-').map(Number)
  const [, at, , changes = ''] = textsIn(fields)
  const lines = changes.split('\n')
  return lines.map((line, index) => ({
    epoch,
    seq: lastSeq - lines.length + 1 + index,
    at: Number(at),
    ...decodeChange(line),
  }))
}
