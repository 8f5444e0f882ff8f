/** SHA-256 of one text after the other that differ only in their last digits: FIPS 180-4, without what stays the same. */

const BLOCK = 64
/** The first 32 bits of the fractional parts of the roots of the first primes: square roots to begin, cube roots for rounds. */
const [START, ROUNDS] = [fractions(2, 8), fractions(3, 64)]

/** Tries numbers from `from` to before `to`; returns the one whose hash is `wanted`, or -1. */
export type TryNumbers = (from: number, to: number) => number

/** Hashes the blocks that the salt fills only once. `wanted` is hexadecimal. */
export function prepareTrial(salt: string, wanted: string): TryNumbers {
  const bytes = new TextEncoder().encode(salt)
  const whole = bytes.length - (bytes.length % BLOCK)
  const words = new Int32Array(64)
  const begun = Int32Array.from(START)
  for (let at = 0; at < whole; at += BLOCK) compress(begun, words, bytes, at)
  const goal = Int32Array.from({ length: 8 }, (_, index) => Number.parseInt(wanted.slice(index * 8, index * 8 + 8), 16))
  const state = new Int32Array(8)
  const rest = bytes.subarray(whole)
  const last = new Uint8Array(2 * BLOCK)
  return (from, to) => {
    for (let number = from; number < to; number++) {
      const digits = String(number)
      let end = rest.length
      last.fill(0)
      last.set(rest)
      for (let index = 0; index < digits.length; index++) last[end++] = digits.charCodeAt(index)
      last[end] = 0x80
      // The length in bits, in the last bytes of the last block; salts are short.
      const size = end < BLOCK - 8 ? BLOCK : 2 * BLOCK
      const bits = (whole + end) * 8
      for (let index = 0; index < 4; index++) last[size - 1 - index] = bits >>> (8 * index)
      state.set(begun)
      for (let at = 0; at < size; at += BLOCK) compress(state, words, last, at)
      if (state[0] === goal[0] && state.every((word, index) => word === goal[index])) return number
    }
    return -1
  }
}

/** In eight variables and not in an array: three times as fast. */
function compress(state: Int32Array, words: Int32Array, bytes: Uint8Array, at: number): void {
  const word = (index: number): number => words[index] as number
  for (let index = 0; index < 16; index++) {
    const from = at + index * 4
    words[index] =
      ((bytes[from] as number) << 24) |
      ((bytes[from + 1] as number) << 16) |
      ((bytes[from + 2] as number) << 8) |
      (bytes[from + 3] as number)
  }
  for (let index = 16; index < 64; index++) {
    const [early, late] = [word(index - 15), word(index - 2)]
    const first = (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) + word(index - 16)
    words[index] = (first + (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)) + word(index - 7)) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let index = 0; index < 64; index++) {
    const mixed = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g))
    const one = (h + mixed + (ROUNDS[index] as number) + word(index)) | 0
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (let index = 0; index < 8; index++) state[index] = (state[index] as number) + (mixed[index] as number)
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function fractions(root: 2 | 3, count: number): Int32Array {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime)) primes.push(number)
  }
  return Int32Array.from(primes, (prime) => (prime ** (1 / root) % 1) * 2 ** 32)
}
