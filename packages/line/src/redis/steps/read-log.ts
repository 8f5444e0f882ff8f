import assert from 'node:assert/strict'
import type { RoomAt } from '../../contract.ts'
import type { LogEntry } from '../../log-entry.ts'
import { roomKey } from '../scripts/keys.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { decodeStep } from '../wire/decode-step.ts'
import { listIn, numberIn } from '../wire/reply.ts'

/** Runs read-log.lua. Waits for the first entry on a connection of its own. */
export async function readLog(
  scripts: Scripts,
  at: RoomAt,
  afterSeq: number,
  { limit, waitMs }: { limit: number; waitMs: number },
): Promise<LogEntry[]> {
  assert(limit > 0, `The limit must be at least 1, not ${limit}`)
  const key = roomKey(scripts.prefix, at.room, at.epoch, 'log')
  const isOpen = waitMs <= 0 || (await waitForNews(scripts, key, `${at.epoch}-${afterSeq}`, Math.ceil(waitMs)))
  if (!isOpen) return []
  // Also when no entry came: a lost line appends nothing, and must be detected.
  return await readNow(scripts, at, afterSeq, limit)
}

/** False when the connection was closed in the meantime. */
async function waitForNews({ connection }: Scripts, key: string, after: string, blockMs: number): Promise<boolean> {
  const command = ['XREAD', 'COUNT', '1', 'BLOCK', String(blockMs), 'STREAMS', key, after]
  return await connection.sendBlocking(key, command, blockMs)
}

async function readNow(scripts: Scripts, at: RoomAt, afterSeq: number, limit: number): Promise<LogEntry[]> {
  const reply = await scripts.run('read-log', at, [at.epoch, at.seenSeq, afterSeq, limit])
  const [after, steps] = listIn(reply)
  return listIn(steps)
    .flatMap((step) => decodeStep(listIn(step)))
    .filter(({ seq }) => seq > numberIn(after))
    .slice(0, limit)
}
