import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parseRecord } from './parse-record.ts'
import type { HistoryRecord } from './records.ts'

/** Reads one record from each line. Throws on an invalid line, with its number and what is wrong with it. */
export async function* readRecords(input: Readable): AsyncGenerator<HistoryRecord> {
  let lineNumber = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    lineNumber += 1
    if (line.trim() !== '') yield parseLine(line, lineNumber)
  }
}

/** The lines of a history, for `Readable.from` and `pipeline`. */
export async function* recordLines(
  records: Iterable<HistoryRecord> | AsyncIterable<HistoryRecord>,
): AsyncGenerator<string> {
  for await (const record of records) yield recordLine(record)
}

/** One record as a line, with its end. */
export function recordLine(record: HistoryRecord): string {
  return `${JSON.stringify(record)}\n`
}

function parseLine(line: string, lineNumber: number): HistoryRecord {
  try {
    return parseRecord(JSON.parse(line))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Line ${lineNumber} is not a record: ${reason}`, { cause })
  }
}
