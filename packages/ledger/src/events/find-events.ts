import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const LIST_EVENTS = loadStatement(import.meta.url, 'list-events.sql')
const FOLD_QUERY = loadStatement(import.meta.url, 'fold-query.sql')
const SEARCH_EVENTS = loadStatement(import.meta.url, 'search-events.sql')
const BROWSE_EVENTS = loadStatement(import.meta.url, 'browse-events.sql')

/** Ids of one page, and where the next one goes on: null when there is none. */
export interface FoundPage {
  readonly ids: readonly string[]
  readonly next: PageMark | null
}

/** The last event of a page. `score` belongs to a search for words, `at` is a time of the ledger to the microsecond. */
export interface PageMark {
  readonly score: number | null
  readonly at: string
  readonly id: string
}

export interface EventSearch {
  readonly words: string
  readonly from: Date | null
  readonly to: Date | null
  readonly place: string
  /** What is over is left out. */
  readonly isToCome: boolean
  readonly organizationId: string | null
  /** Days like 2026-11-15, by the clock at the venue. */
  readonly fromDay: string | null
  readonly toDay: string | null
  /** No event whose cheapest ticket costs more, in the units that people count in: 50 euros, 50,000 won. */
  readonly priceMax: number | null
  readonly limit: number
  readonly after: PageMark | null
}

const BEFORE_ALL = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/** Events that are not over, in order of their beginning; those without a date come last. */
export async function listEvents(
  db: Kysely<Schema>,
  { limit, after }: { limit: number; after: PageMark | null },
): Promise<FoundPage> {
  const { at, id } = after ?? BEFORE_ALL
  const rows = await runStatement<{ id: string; listed_at: string }>(db, LIST_EVENTS, [limit + 1, at, id])
  return toPage(
    rows.map(({ id, listed_at }) => ({ id, at: listed_at, score: null })),
    limit,
  )
}

/** Best first where words are given, else the soonest first. */
export async function searchEvents(db: Kysely<Schema>, search: EventSearch): Promise<FoundPage> {
  const { to, limit, after } = search
  // A day at the venue begins at most a day before it does by UTC.
  const from = search.from ?? (search.fromDay === null ? null : new Date(Date.parse(search.fromDay) - DAY_MS))
  const [folded] = await runStatement<{ words: string; place: string }>(db, FOLD_QUERY, [search.words, search.place])
  const { words = '', place = '' } = folded ?? {}
  const filters = [search.fromDay, search.toDay, search.priceMax, ODD_CURRENCIES]
  const rest = [after?.at ?? null, after?.id ?? null, search.isToCome, search.organizationId, ...filters]
  // Words without a letter or digit say nothing: then date and place decide.
  const rows =
    words === ''
      ? await runStatement<MarkRow>(db, BROWSE_EVENTS, [from, to, place, limit + 1, ...rest])
      : await runStatement<MarkRow>(db, SEARCH_EVENTS, [
          ...wordParameters(words),
          ...[from, to, place, limit + 1, after?.score ?? null, ...rest],
        ])
  return toPage(
    rows.map(({ id, happens_at, score }) => ({ id, at: happens_at, score: score ?? null })),
    limit,
  )
}

const DAY_MS = 86_400_000

/** Currencies that have not two decimals, and how many they have. */
const ODD_CURRENCIES = JSON.stringify(
  Object.fromEntries(
    Intl.supportedValuesOf('currency')
      .map((currency) => [currency, decimalsOf(currency)] as const)
      .filter(([, decimals]) => decimals !== 2),
  ),
)

function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** Folded words are letters and digits only, so nothing in them means anything to a text search. */
function wordParameters(folded: string): [string, string, string, string, string[]] {
  const words = folded.split(' ')
  const join = (suffix: (word: string) => string): string => words.map((word) => `'${word}'${suffix(word)}`).join(' & ')
  // One Latin letter begins too many words to say anything.
  const canBegin = (word: string): boolean => Buffer.byteLength(word) > 1
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, FORGIVEN_WORDS_MAX)
  return [
    folded,
    join(() => ''),
    join((word) => (canBegin(word) ? ':*' : '')),
    join((word) => (canBegin(word) ? ':*AB' : ':AB')),
    longest,
  ]
}

/** In how many words of a query typing errors are forgiven: as many as the statement has places for. */
const FORGIVEN_WORDS_MAX = 4

interface MarkRow {
  id: string
  happens_at: string
  score?: number
}

/** One more than the page holds was asked for, so that the last page does not promise another. */
function toPage(found: readonly PageMark[], limit: number): FoundPage {
  const page = found.slice(0, limit)
  return { ids: page.map(({ id }) => id), next: found.length > limit ? (page.at(-1) ?? null) : null }
}
