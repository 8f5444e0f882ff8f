/** Crockford's alphabet: no letter that looks like another one or like a digit, and no U. Each symbol is five bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Symbols of the code that is typed where an e-ticket's picture cannot be read. */
export const SHORT_CODE_LENGTH = 8

/** The short code that these random bytes make; the first eight count. */
export function shortCodeOf(bytes: Uint8Array): string {
  if (bytes.length < SHORT_CODE_LENGTH) throw new RangeError(`A short code needs ${SHORT_CODE_LENGTH} bytes`)
  return Array.from(bytes.subarray(0, SHORT_CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** A typed short code as it is stored, whatever its case, spaces and hyphens; null for text that cannot be one. */
export function readShortCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return code.length === SHORT_CODE_LENGTH && [...code].every((symbol) => ALPHABET.includes(symbol)) ? code : null
}

/** As people read it: "7K3M-9PQX". */
export const spellShortCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`
