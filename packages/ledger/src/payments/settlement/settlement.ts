import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'
import type { Period } from '../receipts/receipts.ts'

const READ_SETTLEMENT = loadStatement(import.meta.url, 'read-settlement.sql')
const COUNT_UNSETTLED = loadStatement(import.meta.url, 'count-unsettled.sql')

const EXPORT_PAGE = 2_000
/** Days and events of the longest period: far more than a page shows, and few enough to be in memory. */
const SUMS_MAX = 100_000
/** Providers that charge for payments. The sandbox moves no money, and sales at the door have no provider. */
const CHARGING_PROVIDERS = ['stripe', 'mollie']

/** What a settlement is about: an organization or one event, in a period. */
export interface SettlementOf extends Period {
  readonly organizationId: string | null
  readonly eventId: string | null
  /** Where its days begin. */
  readonly timeZone: string
}

/** Sums in one currency, in minor units. */
export interface SettledSums {
  readonly currency: string
  readonly receipts: number
  readonly creditNotes: number
  /** What was paid. */
  readonly gross: number
  /** The part of it that is fees. */
  readonly fees: number
  /** Contained in it. */
  readonly tax: number
  /** What went back. */
  readonly refunds: number
  /** Contained in what went back. */
  readonly refundedTax: number
  /** What providers kept, as far as they said. */
  readonly charges: number
  /** gross - refunds - charges */
  readonly payout: number
}

export interface Settlement {
  readonly days: readonly (SettledSums & { readonly day: string })[]
  readonly events: readonly (SettledSums & { readonly eventId: string; readonly event: string })[]
  readonly totals: readonly SettledSums[]
  /** Sales and refunds that are not in it, because they wait for their number. */
  readonly unnumbered: number
  /** Sales with a charge that the provider has not told. */
  readonly chargesUnknown: number
}

interface SumRow extends Omit<SettledSums, 'payout'> {
  readonly day: string | null
  readonly eventId: string | null
  readonly event: string | null
}

/**
 * Sums receipts and credit notes, not purchases: papers have a day and never change, so that a settlement of a past day
 * is the same whenever it is read (B156).
 */
export async function readSettlement(db: Kysely<Schema>, of: SettlementOf): Promise<Settlement> {
  const { organizationId, eventId } = of
  const [rows, [open]] = await Promise.all([
    runStatement<SumRow>(db, READ_SETTLEMENT, [...periodOf(of), false, 0, SUMS_MAX]),
    runStatement<{ unnumbered: number; chargesUnknown: number }>(db, COUNT_UNSETTLED, [
      organizationId,
      eventId,
      CHARGING_PROVIDERS,
    ]),
  ])
  return {
    days: rows.flatMap((row) => (row.day === null ? [] : [{ day: row.day, ...sumsOf(row) }])),
    events: rows.flatMap((row) =>
      row.eventId === null ? [] : [{ eventId: row.eventId, event: row.event ?? '', ...sumsOf(row) }],
    ),
    totals: rows.filter(({ day, eventId: event }) => day === null && event === null).map(sumsOf),
    unnumbered: open?.unnumbered ?? 0,
    chargesUnknown: open?.chargesUnknown ?? 0,
  }
}

function sumsOf({ currency, receipts, creditNotes, gross, fees, tax, refunds, refundedTax, charges }: SumRow) {
  const payout = gross - refunds - charges
  return { currency, receipts, creditNotes, gross, fees, tax, refunds, refundedTax, charges, payout }
}

/** One row for each day, event and currency, in pages. */
export async function* exportSettlement(db: Kysely<Schema>, of: SettlementOf): AsyncGenerator<object[]> {
  for (let skip = 0; ; skip += EXPORT_PAGE) {
    const page = await runStatement<SumRow>(db, READ_SETTLEMENT, [...periodOf(of), true, skip, EXPORT_PAGE])
    if (page.length > 0) yield page.map(tableRow)
    if (page.length < EXPORT_PAGE) return
  }
}

const periodOf = ({ organizationId, eventId, from, until, timeZone }: SettlementOf) => [
  ...[organizationId, eventId, from, until, timeZone],
]

/** As the columns of the table are called, and in their order. */
function tableRow(row: SumRow): object {
  const { currency, receipts, creditNotes, gross, fees, tax, refunds, refundedTax, charges, payout } = sumsOf(row)
  return {
    ...{ day: row.day, event: row.event, currency, receipts, credit_notes: creditNotes, gross, fees, tax, refunds },
    ...{ refunded_tax: refundedTax, charges, payout },
  }
}
