import type { Discount, Reduction } from '../prices/price-lines.ts'

/** What an organiser makes codes from. A code reduces prices, opens what is not public, or both. */
export interface CodeTerms {
  /** Null for a code that only opens something. */
  readonly reduction: Reduction | null
  /** Opens hidden seat types, and the line from `presaleStartAt` on. */
  readonly access: boolean
  /** The seat types it is for; null for all. */
  readonly seatTypeIds: readonly string[] | null
  /** A use is a reservation that is pending or paid, however many seats it has. Null: no limit. */
  readonly usesMax: number | null
  /** The same for one buyer. */
  readonly perBuyerMax: number | null
  readonly validFrom: Date | null
  readonly validUntil: Date | null
}

/** Values outside are refused, never clamped. */
export const CODE_LIMITS = {
  codeLength: 40,
  /** Of one call. */
  count: 5_000,
  uses: 1_000_000_000,
} as const

/**
 * What makes two spellings the same code: case, blanks and hyphens do not count. Empty for text that cannot be a code.
 */
export function codeKey(text: string): string {
  if (text.length > CODE_LIMITS.codeLength) return ''
  const key = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u.test(key) && key.length <= CODE_LIMITS.codeLength ? key : ''
}

/** Whether a code opens a hidden seat type. */
export function opens({ access, seatTypeIds }: Pick<CodeTerms, 'access' | 'seatTypeIds'>, seatTypeId: string): boolean {
  return access && (seatTypeIds === null || seatTypeIds.includes(seatTypeId))
}

/** A code is for the seat types it names, and for a claim with at least one seat of them. */
export function isFor({ seatTypeIds }: Pick<CodeTerms, 'seatTypeIds'>, claimed: readonly string[]): boolean {
  return seatTypeIds === null || claimed.some((id) => seatTypeIds.includes(id))
}

/** What a code takes off; null when it only opens something. */
export function discountOf(
  name: string,
  { reduction, seatTypeIds }: Pick<CodeTerms, 'reduction' | 'seatTypeIds'>,
): Discount | null {
  return reduction === null ? null : { name, reduction, seatTypeIds }
}
