import type { LogRecord } from '@seatwise/checker'
import type { LogEntry } from '@seatwise/domain'
import { type Ledger, runStatement } from '@seatwise/seats'
import { LogRecords } from './log-records.ts'

const PAGE = 5_000

const READ_LOG = {
  name: 'read a page of a log with everything in it',
  sql: `select epoch::float8 as epoch, seq::float8 as seq, (extract(epoch from at) * 1000)::float8 as at, operation, kind, body
          from room_log
         where room_id = $1::uuid and (epoch, seq) > ($2::bigint, $3::bigint)
         order by epoch, seq
         limit $4`,
}

/** The whole log of a room, as the ledger has it, in the checker's words. */
export async function* recordsOfRoom(ledger: Ledger, room: string): AsyncGenerator<LogRecord> {
  const records = new LogRecords(room)
  for await (const entry of logOfRoom(ledger, room)) yield* records.translate(entry)
}

/** The whole log of a room, as the ledger has it, page by page. */
export async function* logOfRoom(ledger: Ledger, room: string): AsyncGenerator<LogEntry> {
  let after = { epoch: 0, seq: 0 }
  while (true) {
    const page = await runStatement<StoredEntry>(ledger.db, READ_LOG, [room, after.epoch, after.seq, PAGE])
    for (const { kind, body, ...head } of page) {
      // The ledger took the entry apart; the kinds and their fields are the product's own.
      yield { ...head, change: { kind, ...body } } as LogEntry
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = { epoch: last.epoch, seq: last.seq }
  }
}

interface StoredEntry {
  epoch: number
  seq: number
  at: number
  operation: string
  kind: string
  body: Record<string, unknown>
}
