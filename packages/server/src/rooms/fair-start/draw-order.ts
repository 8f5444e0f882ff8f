import { createHash, createHmac } from 'node:crypto'

export interface DrawInput {
  readonly roomId: string
  readonly seed: Uint8Array
  readonly numbers: Float64Array
  readonly classes: Uint8Array
}

export interface DrawnOrder {
  /** `places[i]` is the place of ticket `numbers[i]`, from 1. */
  readonly places: Float64Array
  /** How many of them have each class. */
  readonly counts: readonly [number, number, number, number]
}

/** SHA-256 of secret, sealed root and the beacon's randomness, as raw bytes. Rule J6. */
export function seedOf(secret: Uint8Array, root: Uint8Array, randomness: Uint8Array): Buffer {
  return createHash('sha256').update(secret).update(root).update(randomness).digest()
}

/** The order of a draw. A million tickets take some seconds, so it is called in a thread of its own. Rule J6. */
export function drawOrder({ roomId, seed, numbers, classes }: DrawInput): DrawnOrder {
  const digests = Buffer.alloc(numbers.length * DIGEST_BYTES)
  // The first six bytes decide nearly always, and compare as one number.
  const heads = new Float64Array(numbers.length)
  for (const [index, number] of numbers.entries()) {
    const digest = createHmac('sha256', seed).update(`${roomId}:${number}`).digest()
    digest.copy(digests, index * DIGEST_BYTES)
    heads[index] = digest.readUIntBE(0, 6)
  }
  const digestAt = (index: number) => digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES)
  const indices = Uint32Array.from(numbers.keys()).sort(
    (a, b) =>
      (classes[b] ?? 0) - (classes[a] ?? 0) ||
      (heads[a] ?? 0) - (heads[b] ?? 0) ||
      Buffer.compare(digestAt(a), digestAt(b)) ||
      (numbers[a] ?? 0) - (numbers[b] ?? 0),
  )
  const counts: [number, number, number, number] = [0, 0, 0, 0]
  for (const ticketClass of classes) counts[ticketClass as 0 | 1 | 2 | 3]++
  const places = new Float64Array(numbers.length)
  for (const [rank, index] of indices.entries()) places[index] = rank + 1
  return { places, counts }
}

const DIGEST_BYTES = 32
