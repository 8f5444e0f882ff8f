import type { Code } from '@seatwise/ledger'

/** What a code does, as the wire has it. */
export function describeTerms({ code, reduction, access, seatTypeIds }: Code) {
  const { percent, amountOff, price } = { percent: null, amountOff: null, price: null, ...reduction }
  return { code, percent, amountOff, price, access, seatTypeIds }
}

/** A code as its organiser sees it. */
export function describeCode(code: Code) {
  const { id, usesMax, perBuyerMax, validFrom, validUntil, endedAt, createdAt, uses } = code
  return {
    ...{ id, ...describeTerms(code), usesMax, perBuyerMax, uses },
    validFrom: validFrom?.toISOString() ?? null,
    validUntil: validUntil?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** The same as a row of a table, with times that the table writes in the venue's zone. */
export function tableRow(code: Code, currency: string): object {
  const { percent, amountOff, price, access } = describeTerms(code)
  const { usesMax, perBuyerMax, uses, validFrom, validUntil, endedAt, createdAt } = code
  return {
    code: code.code,
    percent,
    amountOff,
    price,
    currency,
    access,
    uses,
    usesMax,
    perBuyerMax,
    validFrom,
    validUntil,
    endedAt,
    createdAt,
  }
}
