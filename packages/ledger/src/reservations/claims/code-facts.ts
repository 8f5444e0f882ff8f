import { fromThousandths, type Reduction } from '@seatwise/domain'
import { prepareStatement } from '../../engine/index.ts'
import type { OpenSeatMap } from '../../seat-map/index.ts'
import type { Claim } from './claim.ts'
import type { ClaimFacts } from './read-facts.ts'

const READ_CODES = prepareStatement(import.meta.url, 'read-codes.sql')
const READ_CODE_USES = prepareStatement(import.meta.url, 'read-code-uses.sql')

/** A code that claims name, as it was when the lock was taken. */
export interface CodeFact {
  readonly id: string
  readonly code: string
  readonly reduction: Reduction | null
  readonly access: boolean
  readonly seatTypeIds: readonly string[] | null
  readonly perBuyerMax: number | null
  /** Not ended, and valid at the map's "now". */
  readonly isValid: boolean
  /** Null: no limit. Overdue holds that this transaction ends do not count. */
  readonly usesLeft: number | null
}

/** Everything the decision needs to know of codes. */
export interface CodeFacts {
  /** By key. */
  readonly codes: ReadonlyMap<string, CodeFact>
  /** One for each claim: how often its buyer uses its code, and the code of the reservation that it would replace. */
  readonly claims: readonly { readonly uses: number; readonly pendingCodeId: string | null }[]
}

const NO_CODES: CodeFacts = { codes: new Map(), claims: [] }

/** Reads the codes of claims under the lock. Claims without a code cost nothing. */
export async function readCodeFacts(map: OpenSeatMap, claims: readonly Claim[], facts: ClaimFacts): Promise<CodeFacts> {
  const keys = [...new Set(claims.flatMap(({ code }) => code ?? []))]
  if (keys.length === 0) return NO_CODES
  const rows = await map.transaction.run<CodeRow>(READ_CODES, [map.eventId, keys, facts.overdue])
  const codes = new Map(rows.map((row) => [row.key, factOf(row)]))
  const uses = await map.transaction.run<CodeFacts['claims'][number]>(READ_CODE_USES, [
    claims.map(({ buyerId }) => buyerId),
    claims.map(({ code }) => (code === undefined ? null : (codes.get(code)?.id ?? null))),
    facts.claims.map(({ pendingId }) => pendingId),
  ])
  return { codes, claims: uses }
}

interface CodeRow extends Omit<CodeFact, 'reduction'>, ReductionRow {
  readonly key: string
}

/** The reduction of a code as its columns have it. */
export interface ReductionRow {
  /** In thousandths. */
  readonly percent: number | null
  readonly amountOff: number | null
  readonly price: number | null
}

export function reductionOf({ percent, amountOff, price }: ReductionRow): Reduction | null {
  if (percent !== null) return { percent: fromThousandths(percent) }
  if (amountOff !== null) return { amountOff }
  return price === null ? null : { price }
}

function factOf({ key: _, percent, amountOff, price, ...row }: CodeRow): CodeFact {
  return { ...row, reduction: reductionOf({ percent, amountOff, price }) }
}
