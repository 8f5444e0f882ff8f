import type { ErrorCode } from '@seatwise/domain'
import { joining, type Ledger } from '@seatwise/ledger'

/**
 * Why joins are refused, as the ledger counts it. `proof_asked`: a proof of work was asked for, which most visitors then give.
 * What says something about the sale and nothing about the visitor (not open, sold out, full, too busy) is not counted.
 */
export const REFUSAL_REASONS = {
  CHALLENGE_REQUIRED: 'proof_asked',
  CHALLENGE_FAILED: 'proof_failed',
  TOO_MANY_GUESTS: 'crowded_address',
  DUPLICATE_DEVICE: 'duplicate_device',
  NOT_INVITED: 'not_invited',
  NOT_VERIFIED: 'not_verified',
  GUESTS_NOT_ALLOWED: 'guests_not_allowed',
  BAD_CODE: 'wrong_code',
  CODE_UNKNOWN: 'wrong_code',
  CODE_USED: 'used_code',
  CODE_USED_UP: 'used_code',
  TOO_MANY_REQUESTS: 'too_many_tries',
} as const satisfies Partial<Record<ErrorCode, string>>

/** Counts refused joins in memory, and brings the counts to the ledger once a second. Rule R120. */
export interface RefusalCounts {
  count(roomId: string, code: ErrorCode): void
  /** What fails stays for the next time. */
  flush(): Promise<void>
  readonly size: number
}

/** More rooms than a server has open; of others nothing is refused. */
const COUNTS_MAX = 100_000

export function createRefusalCounts({ db }: Pick<Ledger, 'db'>): RefusalCounts {
  let counts = new Map<string, joining.RefusalCount>()

  function add({ roomId, reason, count }: joining.RefusalCount): void {
    const key = `${roomId} ${reason}`
    const known = counts.get(key)
    if (known === undefined && counts.size >= COUNTS_MAX) return
    counts.set(key, { roomId, reason, count: (known?.count ?? 0) + count })
  }

  return {
    count(roomId, code) {
      const reasons: Partial<Record<ErrorCode, string>> = REFUSAL_REASONS
      const reason = reasons[code]
      if (reason !== undefined) add({ roomId, reason, count: 1 })
    },
    async flush() {
      const taken = [...counts.values()]
      counts = new Map()
      try {
        await joining.addRefusals(db, taken)
      } catch (error) {
        for (const count of taken) add(count)
        throw error
      }
    },
    get size() {
      return counts.size
    },
  }
}
