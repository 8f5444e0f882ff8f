import { createReadStream } from 'node:fs'
import {
  checkRecords,
  type Fairness,
  FairnessStudy,
  type HistoryRecord,
  type Report,
  readRecords,
} from '@seatwise/checker'
import { type EstimateFigures, EstimateJudge } from '@seatwise/domain'
import { type ReadRows, readSaleFacts, type SeatCountFact } from '@seatwise/ledger'
import { recordsOf } from './records-of-sale.ts'

/** What a sale was like: every invariant's verdict, how fair it was, and what stands in the ledger. */
export interface VerifiedSale {
  readonly report: Report
  /** Null if no visitor ever joined. */
  readonly fairness: Fairness | null
  /** How good the estimates at joining were. Judged by the product's own model, so no proof of anything. */
  readonly estimates: EstimateFigures
  readonly seats: SeatCountFact
  readonly readMs: number
}

/**
 * Judges a sale from its log, its ledger and, where there are some, what clients wrote down. Everything is read once and
 * nothing of it kept but what the checks need. Null when there is no such event.
 */
export async function verifySale(
  read: ReadRows,
  eventId: string,
  recordsFile: string | null = null,
): Promise<VerifiedSale | null> {
  const startedAt = performance.now()
  const facts = await readSaleFacts(read, eventId)
  if (facts === null) return null
  const study = new FairnessStudy()
  const judge = new EstimateJudge()
  const sale = recordsOf(read, eventId, facts, (entry) => void judge.follow(entry))
  const report = await checkRecords(studied(study, withClients(sale, recordsFile)))
  const fairness = study.finish().find(({ room }) => room === facts.sale.roomId) ?? null
  return {
    report,
    fairness,
    estimates: judge.figures(),
    seats: facts.sale.counted,
    readMs: performance.now() - startedAt,
  }
}

async function* studied(study: FairnessStudy, records: AsyncIterable<HistoryRecord>): AsyncGenerator<HistoryRecord> {
  for await (const record of records) {
    study.see(record)
    yield record
  }
}

async function* withClients(
  sale: AsyncIterable<HistoryRecord>,
  recordsFile: string | null,
): AsyncGenerator<HistoryRecord> {
  yield* sale
  if (recordsFile !== null) yield* readRecords(createReadStream(recordsFile))
}
