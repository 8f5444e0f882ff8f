import { copyLog, type Ledger } from '@seatwise/ledger'
import { type Line, LineLost, openMemoryLine, openRedisLine, type RedisConnection } from '@seatwise/line'
import type { Logger } from 'pino'
import { KEPT_ENTRIES } from './log/follow-log.ts'

/**
 * The line in this process: the ledger commits before the line acknowledges (R18), so the line itself does the work of
 * the followers on Redis.
 */
export function openEmbeddedLine(ledger: Ledger, log: Logger): Line {
  const line = openMemoryLine({ clock: Date.now, commit })

  async function commit(room: string, entries: Parameters<typeof copyLog>[2]): Promise<void> {
    const reply = await copyLog(ledger, room, entries)
    // Only this process writes to an embedded ledger, so any other result means that this line is not the ledger's.
    if (reply.status !== 'copied') throw new LineLost(room, 'other-epoch')
    const epoch = entries[0]?.epoch ?? 0
    // After this turn of the event loop: the line is in the middle of committing.
    setImmediate(() => {
      line
        .trim({ room, epoch, seenSeq: 0 }, reply.seq, KEPT_ENTRIES)
        .catch((err: unknown) => log.debug({ err, room }, 'the log of the line could not be trimmed'))
    })
  }

  return line
}

/** The line on Redis. */
export function openSharedLine(connection: RedisConnection, log: Logger): Line {
  return openRedisLine({
    connection,
    onCleaningError: (err) => log.warn({ err }, 'keys of an earlier epoch could not be removed'),
  })
}
