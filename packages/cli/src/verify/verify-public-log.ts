import { createReadStream } from 'node:fs'
import { checkRecords, FairnessStudy, type HistoryRecord, type LogRecord, readRecords } from '@seatwise/checker'
import type { Change, LogEntry } from '@seatwise/domain'
import type { Sale } from '../rehearse/sale.ts'
import { LogRecords } from './log-records.ts'
import type { VerifiedSale } from './verify-sale.ts'

const PAGE = 1_000

/** Judges a room by its public log and by what clients wrote down: what anybody can do from anywhere. */
export async function verifyPublicLog(
  url: URL,
  { eventId, roomId }: Pick<Sale, 'eventId' | 'roomId'>,
  recordsFile: string,
): Promise<Pick<VerifiedSale, 'report' | 'fairness'>> {
  const study = new FairnessStudy()
  const report = await checkRecords(records())
  return { report, fairness: study.finish().find(({ room }) => room === roomId) ?? null }

  async function* records(): AsyncGenerator<HistoryRecord> {
    for await (const record of publicLog(url, eventId, roomId)) {
      study.see(record)
      yield record
    }
    for await (const record of readRecords(createReadStream(recordsFile))) {
      study.see(record)
      yield record
    }
  }
}

interface AuditPage {
  readonly items: readonly AuditItem[]
  readonly nextAfter: string | null
}

type AuditItem = Readonly<Record<string, unknown>> & Pick<LogEntry, 'epoch' | 'seq' | 'at'>

async function* publicLog(url: URL, eventId: string, roomId: string): AsyncGenerator<LogRecord> {
  const records = new LogRecords(roomId)
  for (let after: string | null = '0-0'; after !== null; ) {
    const address: URL = new URL(`/api/events/${eventId}/queue/audit?after=${after}&limit=${PAGE}`, url)
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(`${address.href} was answered ${answer.status}`)
    // The wire contract says what a page of the public log is.
    const page = (await answer.json()) as AuditPage
    for (const item of page.items) yield* records.translate(entryOf(item))
    after = page.items.length === 0 ? null : page.nextAfter
  }
}

/** Who somebody is, the public is not told: every ticket counts as somebody else. */
function entryOf({ epoch, seq, at, ...details }: AuditItem): LogEntry {
  const change = { identity: `holder of ${String(details.number)}`, ...details } as unknown as Change
  return { epoch, seq, at, operation: `${epoch}-${seq}`, change }
}
