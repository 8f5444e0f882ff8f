import type { CodeTerms } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'
import { type ReductionRow, reductionOf } from '../claims/code-facts.ts'

const LIST_CODES = loadStatement(import.meta.url, 'list-codes.sql')

/** A code as its organiser sees it. */
export interface Code extends CodeTerms {
  readonly id: string
  readonly code: string
  readonly endedAt: Date | null
  readonly createdAt: Date
  /** Reservations with it that are pending or paid. */
  readonly uses: number
  /** Not ended, and valid now by the ledger's clock. */
  readonly isValid: boolean
}

/** The newest first; `before` is the last of the page before. */
export async function listCodes(
  db: Kysely<Schema>,
  { eventId, before, limit }: { eventId: string; before: string | null; limit: number },
): Promise<Code[]> {
  const rows = await runStatement<CodeRow>(db, LIST_CODES, [eventId, before, limit, null])
  return rows.map(toCode)
}

/** The code with this key; null when the event has none. What it says may have changed when a claim is decided. */
export async function findCode(db: Kysely<Schema>, eventId: string, key: string): Promise<Code | null> {
  const [row] = await runStatement<CodeRow>(db, LIST_CODES, [eventId, null, 1, [key]])
  return row === undefined ? null : toCode(row)
}

interface CodeRow extends Omit<Code, 'reduction'>, ReductionRow {}

function toCode({ percent, amountOff, price, ...row }: CodeRow): Code {
  return { ...row, reduction: reductionOf({ percent, amountOff, price }) }
}
