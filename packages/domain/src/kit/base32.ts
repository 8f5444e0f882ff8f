const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 (RFC 4648) without padding: a QR code packs its symbols, but no small letters, into five and a half bits. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let [kept, bits] = [0, 0]
  for (const byte of bytes) {
    kept = (kept << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET[(kept >>> (bits - 5)) & 31]
    // What is left is shorter than a symbol.
    kept &= 31
  }
  return bits === 0 ? text : text + ALPHABET[(kept << (5 - bits)) & 31]
}

/** Null unless this is how `toBase32` spells some bytes: each of them has one spelling. */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8))
  let [kept, bits, at] = [0, 0, 0]
  for (const symbol of text) {
    const value = ALPHABET.indexOf(symbol)
    if (value < 0) return null
    kept = ((kept << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at] = kept >>> bits
    at += 1
  }
  return toBase32(bytes) === text ? bytes : null
}
