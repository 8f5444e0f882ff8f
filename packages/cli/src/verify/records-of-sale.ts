import type { HistoryRecord, LedgerRecord, LogRecord } from '@seatwise/checker'
import type { LogEntry } from '@seatwise/domain'
import { type ReadRows, readLog, readSaleFacts, type SaleFacts } from '@seatwise/ledger'
import { ledgerRecords } from './ledger-records.ts'
import { LogRecords } from './log-records.ts'

/** The history of a sale in the checker's words, from log and ledger alone. Null when there is no such event. */
export async function recordsOfSale(read: ReadRows, eventId: string): Promise<AsyncGenerator<HistoryRecord> | null> {
  const facts = await readSaleFacts(read, eventId)
  return facts === null ? null : recordsOf(read, eventId, facts)
}

/** The same for a caller who has read the ledger's part already; `see` is called with each entry of the log. */
export function recordsOf(
  read: ReadRows,
  eventId: string,
  facts: SaleFacts,
  see: (entry: LogEntry) => void = () => undefined,
): AsyncGenerator<HistoryRecord> {
  return merge(recordsOfRoom(read, facts.sale.roomId, see), ledgerRecords(eventId, facts))
}

/** The whole log of a room, as the ledger has it, in the checker's words. */
export async function* recordsOfRoom(
  read: ReadRows,
  roomId: string,
  see: (entry: LogEntry) => void = () => undefined,
): AsyncGenerator<LogRecord> {
  const records = new LogRecords(roomId)
  for await (const { entry, hash, hashedText, copiedAt } of readLog(read, roomId)) {
    see(entry)
    const copied = copiedAt === null ? {} : { copiedAtMs: copiedAt }
    for (const record of records.translate(entry, hashedText)) yield { ...record, hash, hashedText, ...copied }
  }
}

/** By time, so that a report reads like the sale. */
async function* merge(log: AsyncGenerator<LogRecord>, ledger: readonly LedgerRecord[]): AsyncGenerator<HistoryRecord> {
  let index = 0
  for await (const record of log) {
    while (index < ledger.length && (ledger[index]?.atMs ?? 0) <= record.atMs) {
      yield* ledger.slice(index, index + 1)
      index += 1
    }
    yield record
  }
  yield* ledger.slice(index)
}
