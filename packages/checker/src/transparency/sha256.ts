/*
 * SHA-256 (FIPS 180-4), written here and not taken from the platform: the checker runs in browsers too, where the platform's is
 * asynchronous, and a log has a hundred thousand entries.
 */

const K = new Uint32Array(64)
const START = new Uint32Array(8)

/** The first 32 bits of the fractional parts of roots of primes. */
function fill(): void {
  let found = 0
  for (let candidate = 2; found < 64; candidate += 1) {
    if (!isPrime(candidate)) continue
    if (found < 8) START[found] = fraction(candidate ** (1 / 2))
    K[found] = fraction(candidate ** (1 / 3))
    found += 1
  }
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) return false
  return true
}

function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32)
}

fill()

const WORDS = new Uint32Array(64)

export function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(padded.length - 4, message.length * 8)
  const state = new Uint32Array(START)
  for (let offset = 0; offset < padded.length; offset += 64) compress(state, view, offset)
  const hash = new Uint8Array(32)
  const out = new DataView(hash.buffer)
  state.forEach((word, index) => {
    out.setUint32(index * 4, word)
  })
  return hash
}

function compress(state: Uint32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 16; index += 1) WORDS[index] = view.getUint32(offset + index * 4)
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [word(index - 15), word(index - 2)]
    const small0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
    const small1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
    WORDS[index] = word(index - 16) + small0 + word(index - 7) + small1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let index = 0; index < 64; index += 1) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (K[index] ?? 0) + word(index)) | 0
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  added.forEach((value, index) => {
    state[index] = (state[index] ?? 0) + value
  })
}

function word(index: number): number {
  return WORDS[index] ?? 0
}

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by))
}

const ENCODER = new TextEncoder()

export function utf8(text: string): Uint8Array {
  return ENCODER.encode(text)
}

export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/** Empty for a text that is not hex. */
export function fromHex(text: string): Uint8Array {
  if (!/^([0-9a-f]{2})*$/.test(text)) return new Uint8Array(0)
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
