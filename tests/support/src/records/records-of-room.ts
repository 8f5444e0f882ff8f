import type { LogRecord } from '@seatwise/checker'
import type { LogEntry } from '@seatwise/domain'
import { type Ledger, type ReadRows, readLog, runStatement } from '@seatwise/ledger'
import { recordsOfRoom as recordsOfLog } from 'seatwise'

/** The whole log of a room, as the ledger has it, in the checker's words. */
export const recordsOfRoom = (ledger: Ledger, room: string): AsyncGenerator<LogRecord> =>
  recordsOfLog(readerOf(ledger), room)

/** The whole log of a room, as the ledger has it, page by page. */
export async function* logOfRoom(ledger: Ledger, room: string): AsyncGenerator<LogEntry> {
  for await (const { entry } of readLog(readerOf(ledger), room)) yield entry
}

/** Reads the ledger as `seatwise verify` does. */
export const readerOf =
  (ledger: Ledger): ReadRows =>
  async (statement, parameters) =>
    await runStatement(ledger.db, statement, parameters)
