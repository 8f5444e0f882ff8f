import { checkRecords, FairnessStudy, type HistoryRecord, isSound } from '@seatwise/checker'
import { longHistory } from './support/long-history.ts'
import { writeSection } from './support/results.ts'
import { atMost, type Row, tableOf } from './support/table.ts'

/*
 * node bench/verify.ts
 *
 * How long a million entries take to be verified: every check and the study of fairness, in one pass.
 */

const ENTRIES = 1_000_000
/** Short enough for an operator to wait for the verdict. */
const SECONDS_MAX = 20
const ROUNDS = 3

const seconds: number[] = []
let records = 0
for (let round = 0; round < ROUNDS; round += 1) {
  const history = [...longHistory(ENTRIES)]
  records = history.length
  const study = new FairnessStudy()
  const startedAt = performance.now()
  const report = await checkRecords(studied(study, history))
  study.finish()
  seconds.push((performance.now() - startedAt) / 1_000)
  if (!isSound(report)) throw new Error('The history that was made up for this is not sound')
}
const [, median = Number.NaN] = seconds.sort((a, b) => a - b)
const rate = Math.round(records / median).toLocaleString('en')
const rows: Row[] = [
  atMost(SECONDS_MAX, {
    what: `seconds to verify ${records.toLocaleString('en')} records of a log and a ledger, all checks (${rate}/s)`,
    figure: median,
    digits: 1,
  }),
]
const table = tableOf(rows)
console.log(table.join('\n'))
writeSection('Verify', [...table, '', 'Median of three, one core. Reading the ledger comes on top.'])

function* studied(study: FairnessStudy, history: Iterable<HistoryRecord>): Generator<HistoryRecord> {
  for (const record of history) {
    study.see(record)
    yield record
  }
}
