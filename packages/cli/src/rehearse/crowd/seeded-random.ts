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

/** Times with this mean, as they lie between things that happen independently of one another. */
export function exponential(random: () => number, mean: number): number {
  return -Math.log(1 - random()) * mean
}
