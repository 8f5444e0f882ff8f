export const BLOCK_BYTES = 64
export const HASH_BYTES = 32

/** Eight words: what is known of a message after some of its blocks. */
export type HashState = Int32Array

/** The fractional parts of the square roots of the first 8 primes, and of the cube roots of the first 64. */
const INITIAL_STATE: HashState = Int32Array.from(firstPrimes(8), (prime) => fractionBits(Math.sqrt(prime)))
const ROUND_CONSTANTS = Int32Array.from(firstPrimes(64), (prime) => fractionBits(Math.cbrt(prime)))
const ROUNDS = 64
const WORDS_PER_BLOCK = 16
/** Most bytes that `finish` writes behind a message. */
export const PADDING_BYTES_MAX: number = BLOCK_BYTES + 8

/** SHA-256 (FIPS 180-4) for short messages that continue from a known state. Nothing here depends on secrets but the result. */
export function startState(): HashState {
  return INITIAL_STATE.slice()
}

/** Hashes the last bytes of a message, of which `bytesBefore` are in the state already; pads them in place. */
export function finish(state: HashState, bytes: Uint8Array, length: number, bytesBefore: number): void {
  const end = Math.ceil((length + 9) / BLOCK_BYTES) * BLOCK_BYTES
  bytes[length] = 0x80
  for (let index = length + 1; index < end; index += 1) bytes[index] = 0
  const bits = (bytesBefore + length) * 8
  for (let index = 1; index <= 4; index += 1) bytes[end - index] = bits >>> (8 * (index - 1))
  for (let from = 0; from < end; from += BLOCK_BYTES) compress(state, bytes, from)
}

/** The hash as bytes, once everything is in the state. */
export function writeHash(state: HashState, target: Uint8Array): void {
  for (let index = 0; index < HASH_BYTES; index += 1) target[index] = word(state, index >> 2) >> (24 - 8 * (index & 3))
}

/** Used again for each block: nothing waits in between. */
const schedule = new Int32Array(ROUNDS)

/** Takes one block into the state. */
export function compress(state: HashState, bytes: Uint8Array, from: number): void {
  fillSchedule(bytes, from)
  let [a, b, c, d] = [word(state, 0), word(state, 1), word(state, 2), word(state, 3)]
  let [e, f, g, h] = [word(state, 4), word(state, 5), word(state, 6), word(state, 7)]
  for (let round = 0; round < ROUNDS; round += 1) {
    const mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const first = (h + mixedE + (g ^ (e & (f ^ g))) + word(ROUND_CONSTANTS, round) + word(schedule, round)) | 0
    const second = (mixedA + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  add(state, 0, a)
  add(state, 1, b)
  add(state, 2, c)
  add(state, 3, d)
  add(state, 4, e)
  add(state, 5, f)
  add(state, 6, g)
  add(state, 7, h)
}

function fillSchedule(bytes: Uint8Array, from: number): void {
  for (let index = 0; index < WORDS_PER_BLOCK; index += 1) {
    const at = from + 4 * index
    schedule[index] =
      (byte(bytes, at) << 24) | (byte(bytes, at + 1) << 16) | (byte(bytes, at + 2) << 8) | byte(bytes, at + 3)
  }
  for (let index = WORDS_PER_BLOCK; index < ROUNDS; index += 1) {
    const early = word(schedule, index - 15)
    const late = word(schedule, index - 2)
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    schedule[index] = (word(schedule, index - 16) + mixedEarly + word(schedule, index - 7) + mixedLate) | 0
  }
}

/** Never out of bounds here, which the compiler cannot know. Bytes have a function of their own, because one for both would be slow. */
function word(words: Int32Array, index: number): number {
  return words[index] as number
}

function byte(bytes: Uint8Array, index: number): number {
  return bytes[index] as number
}

function add(state: HashState, index: number, value: number): void {
  state[index] = (word(state, index) + value) | 0
}

function rotate(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by))
}

function fractionBits(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  return primes
}
