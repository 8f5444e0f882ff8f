import { type Checkout, fullCheckout, type Question } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema, type Statement, type StoredAnswers } from '../engine/index.ts'

/** The tables of an event that can be exported. */
export const EXPORTS = ['reservations', 'etickets', 'checkins'] as const
export type Export = (typeof EXPORTS)[number]

/** One line of a table: its first column is what the next page begins after. */
export type ExportRow = Readonly<Record<string, string | number | boolean | Date | null>>

/**
 * A whole table in pages, so that an event of any size is never in memory as a whole. Each question that the event asks
 * now has a column of its own; answers to questions that were removed share one.
 */
export async function* exportRows(
  db: Kysely<Schema>,
  what: Export,
  eventId: string,
  page = 2_000,
): AsyncGenerator<ExportRow[]> {
  const questions = what === 'checkins' ? [] : await readQuestions(db, eventId, PER[what])
  let after: unknown = null
  while (true) {
    const rows: RawRow[] = await runStatement<RawRow>(db, STATEMENTS[what], [eventId, after, page])
    const last = rows.at(-1)
    if (last === undefined) return
    yield what === 'checkins'
      ? rows.map(({ answers: _, ...row }) => row)
      : rows.map((row) => withAnswers(row, questions))
    if (rows.length < page) return
    after = last.id
  }
}

const STATEMENTS = {
  reservations: loadStatement(import.meta.url, 'export-reservations.sql'),
  etickets: loadStatement(import.meta.url, 'export-etickets.sql'),
  checkins: loadStatement(import.meta.url, 'export-checkins.sql'),
} as const satisfies Record<Export, Statement>

const PER = { reservations: 'order', etickets: 'ticket' } as const

type RawRow = Omit<ExportRow, 'answers'> & { readonly id: string; readonly answers?: StoredAnswers | null }

async function readQuestions(db: Kysely<Schema>, eventId: string, per: Question['per']): Promise<Question[]> {
  const event = await db.selectFrom('events').select('checkout').where('id', '=', eventId).executeTakeFirst()
  const { questions } = fullCheckout((event?.checkout ?? {}) as Partial<Checkout>)
  return questions.filter((question) => question.per === per)
}

function withAnswers({ answers, ...row }: RawRow, questions: readonly Question[]): ExportRow {
  const given = answers ?? {}
  const known = new Set(questions.map(({ id }) => id))
  const others = Object.entries(given).flatMap(([id, { label, answer }]) =>
    known.has(id) ? [] : `${label}: ${answer}`,
  )
  return {
    ...row,
    ...Object.fromEntries(questions.map(({ id, label }) => [`answer: ${label}`, given[id]?.answer ?? null])),
    other_answers: others.length === 0 ? null : others.join('; '),
  }
}
