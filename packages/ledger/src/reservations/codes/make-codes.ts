import { type CodesDraft, type CodeTerms, codeKey, toThousandths } from '@seatwise/domain'
import { inTransaction, loadStatement, type Primary, type Transaction } from '../../engine/index.ts'
import { recordAction } from '../../trail/index.ts'

const MAKE_CODES = loadStatement(import.meta.url, 'make-codes.sql')

/** Random texts hardly ever meet; more rounds than this mean that they are not random. */
const ROUNDS_MAX = 5

export interface MakeCodes {
  readonly eventId: string
  readonly draft: CodesDraft
  /** The account that the trail names. */
  readonly by: string
  readonly newId: () => string
  readonly newText: () => string
}

export interface MadeCode {
  readonly id: string
  readonly code: string
}

export type MadeCodes =
  | { readonly status: 'made'; readonly items: readonly MadeCode[] }
  /** The event has a code with this text, perhaps one that has ended. */
  | { readonly status: 'exists' }
  | { readonly status: 'unknown_types'; readonly seatTypeIds: readonly string[] }

/** Makes one code with a given text, or many with random ones; all of them or none. */
export async function makeCodes(ledger: Primary, options: MakeCodes): Promise<MadeCodes> {
  const { eventId, draft, by } = options
  return await inTransaction(ledger, async (transaction) => {
    const unknown = await findUnknownTypes(transaction, eventId, draft.seatTypeIds)
    if (unknown.length > 0) return { status: 'unknown_types', seatTypeIds: unknown }
    const items = await makeAll(transaction, options)
    if (items.length === 0) return { status: 'exists' }
    const { wanted, reduction, access, usesMax } = draft
    const after = { ...wanted, ...reduction, ...(access ? { access } : {}), ...(usesMax === null ? {} : { usesMax }) }
    await recordAction(transaction.db, { actorId: by, kind: 'event_codes.made', eventId, after })
    return { status: 'made', items }
  })
}

async function makeAll(transaction: Transaction, options: MakeCodes): Promise<MadeCode[]> {
  const { draft, newText } = options
  if ('code' in draft.wanted) return await make(transaction, options, [draft.wanted.code])
  const items: MadeCode[] = []
  for (let round = 1; items.length < draft.wanted.count; round += 1) {
    if (round > ROUNDS_MAX) throw new Error('Random codes met each other again and again')
    const texts = new Set(Array.from({ length: draft.wanted.count - items.length }, () => newText()))
    items.push(...(await make(transaction, options, [...texts])))
  }
  return items
}

async function make(
  transaction: Transaction,
  { eventId, draft, newId }: MakeCodes,
  texts: readonly string[],
): Promise<MadeCode[]> {
  return await transaction.run<MadeCode>(MAKE_CODES, [
    eventId,
    texts.map(() => newId()),
    texts,
    texts.map((text) => codeKey(text)),
    ...columnsOf(draft),
  ])
}

function columnsOf({ reduction, ...terms }: CodeTerms): unknown[] {
  const by = { percent: null, amountOff: null, price: null, ...reduction }
  return [
    by.percent === null ? null : toThousandths(by.percent),
    by.amountOff,
    by.price,
    terms.access,
    terms.seatTypeIds,
    terms.usesMax,
    terms.perBuyerMax,
    terms.validFrom,
    terms.validUntil,
  ]
}

async function findUnknownTypes(
  { db }: Transaction,
  eventId: string,
  seatTypeIds: readonly string[] | null,
): Promise<string[]> {
  if (seatTypeIds === null) return []
  const rows = await db.selectFrom('seat_types').select('id').where('event_id', '=', eventId).execute()
  const known = new Set(rows.map(({ id }) => id))
  return seatTypeIds.filter((id) => !known.has(id))
}
