import { randomInt } from 'node:crypto'
import { onTestFailed } from 'vitest'

/**
 * The seed of a random test: a new one each time, or the one in SEATWISE_TEST_SEED. It is printed when the test fails,
 * so that the failure can be repeated.
 */
export function testSeed(): number {
  const seed = Number(process.env.SEATWISE_TEST_SEED ?? randomInt(2 ** 31))
  onTestFailed(() => console.error(`The seed was ${seed}: repeat it with SEATWISE_TEST_SEED=${seed}`))
  return seed
}

/** The same for a suite of tests that share something random. It is printed at once, as no single test owns it. */
export function suiteSeed(): number {
  const seed = Number(process.env.SEATWISE_TEST_SEED ?? randomInt(2 ** 31))
  console.info(`The seed of this suite is ${seed}`)
  return seed
}

/** Numbers from 0 up to 1, the same ones for the same seed and stream (mulberry32). */
export function seededRandom(seed: number, stream = 0): () => number {
  let state = (seed ^ Math.imul(stream + 1, 0x9e3779b1)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
