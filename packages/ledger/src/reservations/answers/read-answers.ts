import { type Checkout, fullCheckout } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema, type StoredAnswers } from '../../engine/index.ts'

const READ_ANSWERS = loadStatement(import.meta.url, 'read-answers.sql')
const READ_ASKED = loadStatement(import.meta.url, 'read-asked.sql')

/** What a buyer said about an order. */
export interface BuyerAnswers {
  /** Those about the order first, then those of each ticket in the order of the plan. */
  readonly answers: readonly {
    readonly questionId: string
    readonly seatId: string | null
    /** As it was asked. */
    readonly label: string
    readonly answer: string
  }[]
  readonly names: readonly { readonly seatId: string; readonly name: string }[]
  readonly terms: { readonly url: string; readonly acceptedAt: Date } | null
  /** `at`: since when that holds; null when the buyer never consented. */
  readonly marketing: { readonly given: boolean; readonly at: Date | null; readonly words: string | null }
}

export const NOTHING_ANSWERED: BuyerAnswers = {
  answers: [],
  names: [],
  terms: null,
  marketing: { given: false, at: null, words: null },
}

interface AnswersRow {
  reservationId: string
  answers: StoredAnswers
  termsUrl: string | null
  termsAcceptedAt: Date | null
  marketing: boolean
  marketingAt: Date | null
  marketingWords: string | null
  tickets: { seatId: string; name: string | null; answers: StoredAnswers }[]
}

/** By reservation; those of which nothing is known are left out. */
export async function readAnswersOf(
  db: Kysely<Schema>,
  reservationIds: readonly string[],
): Promise<ReadonlyMap<string, BuyerAnswers>> {
  if (reservationIds.length === 0) return new Map()
  const rows = await runStatement<AnswersRow>(db, READ_ANSWERS, [reservationIds])
  return new Map(rows.map((row) => [row.reservationId, toAnswers(row)]))
}

export async function readBuyerAnswers(db: Kysely<Schema>, reservationId: string): Promise<BuyerAnswers> {
  return (await readAnswersOf(db, [reservationId])).get(reservationId) ?? NOTHING_ANSWERED
}

function toAnswers(row: AnswersRow): BuyerAnswers {
  const { termsUrl, termsAcceptedAt, tickets } = row
  const listed = (seatId: string | null, answers: StoredAnswers) =>
    Object.entries(answers).map(([questionId, answer]) => ({ questionId, seatId, ...answer }))
  return {
    answers: [...listed(null, row.answers), ...tickets.flatMap(({ seatId, answers }) => listed(seatId, answers))],
    names: tickets.flatMap(({ seatId, name }) => (name === null ? [] : [{ seatId, name }])),
    terms: termsUrl === null || termsAcceptedAt === null ? null : { url: termsUrl, acceptedAt: termsAcceptedAt },
    marketing: { given: row.marketing, at: row.marketingAt, words: row.marketingWords },
  }
}

/** What the event of a reservation asks its buyer for. */
interface AskedOfBuyer {
  readonly eventId: string
  readonly buyerId: string
  readonly checkout: Checkout
  /** In the order of the plan. */
  readonly seatIds: readonly string[]
}

/** Null when there is no such reservation. */
export async function readAsked(db: Kysely<Schema>, reservationId: string): Promise<AskedOfBuyer | null> {
  const [row] = await runStatement<AskedOfBuyer & { checkout: Partial<Checkout> }>(db, READ_ASKED, [reservationId])
  return row === undefined ? null : { ...row, checkout: fullCheckout(row.checkout) }
}
