import { createReadStream } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { checkRecords, FairnessStudy, type HistoryRecord, type LogRecord, readRecords } from '@seatwise/checker'
import { type Change, EstimateJudge, type LogEntry } from '@seatwise/domain'
import { LogRecords } from './log-records.ts'
import type { VerifiedSale } from './verify-sale.ts'

const PAGE = 1_000

/** Judges a room by its public log, which needs no permission, and by client records if there are any. */
export async function verifyPublicLog(
  url: URL,
  { eventId, roomId }: { readonly eventId: string; readonly roomId: string },
  recordsFile: string | null,
): Promise<Omit<VerifiedSale, 'seats'>> {
  const startedAt = performance.now()
  const study = new FairnessStudy()
  const judge = new EstimateJudge()
  const report = await checkRecords(records())
  const fairness = study.finish().find(({ room }) => room === roomId) ?? null
  return { report, fairness, estimates: judge.figures(), readMs: performance.now() - startedAt }

  async function* records(): AsyncGenerator<HistoryRecord> {
    for await (const record of publicLog(url, eventId, roomId, judge)) {
      study.see(record)
      yield record
    }
    if (recordsFile === null) return
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

/** The entry, field by field, beside the text that was hashed. */
type AuditItem = Readonly<Record<string, unknown>> & {
  readonly index: number
  readonly canonical: string
  readonly hash: string
}

async function* publicLog(url: URL, eventId: string, roomId: string, judge: EstimateJudge): AsyncGenerator<LogRecord> {
  const records = new LogRecords(roomId)
  for (let after: string | null = '0-0'; after !== null; ) {
    const address: URL = new URL(`/api/events/${eventId}/queue/audit?after=${after}&limit=${PAGE}`, url)
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(`${address.href} was answered ${answer.status}`)
    // The wire contract says what a page of the public log is.
    const page = (await answer.json()) as AuditPage
    for (const item of page.items) {
      const { canonical: hashedText, hash } = item
      const entry = entryOf(item)
      judge.follow(entry)
      for (const record of records.translate(entry, hashedText)) yield { ...record, hash, hashedText }
    }
    after = page.items.length === 0 ? null : page.nextAfter
  }
}

/** Read from the text that was hashed: what stands beside it only repeats it. */
function entryOf({ canonical, hash: _, index: __, ...shown }: AuditItem): LogEntry {
  const said = JSON.parse(canonical) as PublicFields
  const { epoch, seq, at, ...details } = said
  // Beside the text, `hash` is that of the chain; in a price list's text it is that of the list.
  const { hash: ___, ...repeated } = { hash: '', ...said }
  if (!isDeepStrictEqual(shown, repeated))
    throw new Error(`Entry ${epoch}-${seq} is shown in other words than were hashed`)
  // The public is not told who a visitor is: every ticket counts as another visitor's.
  const holder = { identity: `holder of ${'number' in details ? details.number : 'no ticket'}` }
  const change: Change = { ...holder, ...details }
  return { epoch, seq, at, operation: `${epoch}-${seq}`, change }
}

/** An entry as the public sees it: without the identity of a ticket's holder. */
type PublicFields = Pick<LogEntry, 'epoch' | 'seq' | 'at'> & WithoutIdentity<Change>
type WithoutIdentity<Each> = Each extends unknown ? Omit<Each, 'identity'> : never
