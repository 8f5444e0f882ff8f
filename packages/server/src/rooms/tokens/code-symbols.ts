/** Crockford's alphabet: no letter that looks like another one or like a digit, and no U. Each symbol is five bits. */
export const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export function symbolOf(number: number): string {
  return SYMBOLS[number % SYMBOLS.length] ?? ''
}

/** Ignores case, spaces and hyphens, and accepts letters that look like digits; null for text with other symbols. */
export function readSymbols(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return [...code].every((symbol) => SYMBOLS.includes(symbol)) ? code : null
}
