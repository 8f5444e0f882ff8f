import { writeFileSync } from 'node:fs'
import { formatReport, isSound } from '@seatwise/checker'
import { readConfig } from '@seatwise/server'
import { type Command, readOptions, UsedWrongly } from '../command.ts'
import { findSale } from '../rehearse/sale/sale.ts'
import { formatFairness } from '../report/format-fairness.ts'
import { verifiedPage } from '../report/verified-page.ts'
import { withReader } from '../verify/open-reader.ts'
import { readReceipts, verifyHeads } from '../verify/verify-heads.ts'
import { verifyPublicLog } from '../verify/verify-public-log.ts'
import { type VerifiedSale, verifySale } from '../verify/verify-sale.ts'
import { readKeptHeads } from '../witness/kept-heads.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'checks every invariant of a sale, and how fair it was, from log and ledger',
  help: [
    'seatwise verify --event ID [--url U [--heads DIR] [--receipt FILE]] [--json] [--html FILE] [--records FILE]',
    '',
    'Reads the log and the ledger of a sale and decides for each invariant of spec/invariants.md whether it held. One line',
    'each: held; violated, with the facts that break it; or not checked, because nothing happened that could have broken it',
    '(or because only client records could show it). Then, how fair the line was: who was let in against the',
    'order of arrival, how long people waited, how good the estimates were, and whether a limit was ever exceeded.',
    'Changes nothing, and may run during the sale.',
    '',
    'With --url it reads the public log of a running server instead, which needs no ledger and no settings. What only the',
    'ledger knows (seats, payments) is then not checked. The log is also checked against its signed head, and that against the',
    'heads and the receipt that you kept.',
    '',
    '  --event ID      the event',
    '  --url U         the server with the public log to verify',
    '  --heads DIR     heads that "seatwise witness" kept',
    '  --receipt FILE  the receipt of a ticket, or a list of receipts, as JSON',
    '  --records FILE  what clients were told, as "seatwise rehearse" writes it (records.jsonl)',
    '  --json          the whole report as JSON',
    '  --html FILE     also writes it as a page',
    '',
    'Exit code 0 when nothing is violated, 1 when something is, 2 for wrong usage.',
  ].join('\n'),
  async run(args) {
    const given = readOptions(args, {
      ...{ event: { type: 'string' }, json: { type: 'boolean' } },
      ...{ html: { type: 'string' }, records: { type: 'string' }, url: { type: 'string' } },
      ...{ heads: { type: 'string' }, receipt: { type: 'string' } },
    })
    const event = eventId(given.event)
    const verified = await judge(event, given.url, { ...given, records: given.records ?? null })
    if (verified === null) throw new UsedWrongly(`There is no event ${event}.`)
    const isGood = isSound(verified.report)
    const { report, fairness, estimates, seats } = verified
    if (given.html !== undefined) writeFileSync(given.html, verifiedPage(event, verified))
    const asJson = { event, isSound: isGood, ...report, fairness, estimates, seats }
    console.log(given.json === true ? JSON.stringify(asJson, null, 2) : asText(verified))
    return isGood ? 0 : 1
  },
}

interface Kept {
  readonly records: string | null
  readonly heads?: string | undefined
  readonly receipt?: string | undefined
}

async function judge(event: string, given: string | undefined, kept: Kept): Promise<Verified | null> {
  const { records } = kept
  if (given === undefined) return await withReader(readConfig(), (read) => verifySale(read, event, records))
  if (!URL.canParse(given)) throw new UsedWrongly(`--url takes the address of a server, not ${JSON.stringify(given)}`)
  const url = new URL(given)
  const sale = await findSale(url, event)
  const verified = await verifyPublicLog(url, sale, records)
  const proven = await verifyHeads(url, sale, {
    heads: kept.heads === undefined ? [] : readKeptHeads(kept.heads),
    receipts: kept.receipt === undefined ? [] : readReceipts(kept.receipt),
  })
  const report = { ...verified.report, invariants: [...verified.report.invariants, proven] }
  return { ...verified, report, seats: null }
}

/** What a sale was like; without the ledger nothing is known of its seats. */
type Verified = Omit<VerifiedSale, 'seats'> & { readonly seats: VerifiedSale['seats'] | null }

function asText({ report, fairness, estimates, readMs }: Verified): string {
  const perSecond = Math.round((report.recordCount * 1_000) / Math.max(1, readMs)).toLocaleString('en')
  return [
    formatReport(report),
    '',
    ...(fairness === null ? [] : [formatFairness(fairness, estimates), '']),
    `Read and judged in ${(readMs / 1_000).toFixed(1)} s, ${perSecond} records/s.`,
  ].join('\n')
}

function eventId(given: string | undefined): string {
  if (given === undefined) throw new UsedWrongly('Say which event: --event ID')
  if (!UUID.test(given)) throw new UsedWrongly(`--event takes the id of an event, not ${JSON.stringify(given)}`)
  return given.toLowerCase()
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
