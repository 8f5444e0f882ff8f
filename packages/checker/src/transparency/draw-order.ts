import { sha256, toHex, utf8 } from './sha256.ts'

const BLOCK_BYTES = 64

/** The numbers in the order in which the seed draws them, each class by itself and higher classes first. */
export function drawOrder(
  seed: Uint8Array,
  roomId: string,
  numbers: readonly number[],
  classOf: (number: number) => number,
): number[] {
  const lots = numbers.map((number) => ({ number, lot: toHex(hmac(seed, utf8(`${roomId}:${number}`))) }))
  return lots
    .sort((one, other) => byClass(one, other) || byLot(one, other) || one.number - other.number)
    .map(({ number }) => number)

  function byClass(one: { number: number }, other: { number: number }): number {
    return classOf(other.number) - classOf(one.number)
  }
}

function byLot({ lot: one }: { lot: string }, { lot: other }: { lot: string }): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** HMAC-SHA256 (RFC 2104). The key is shorter than a block. */
function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(BLOCK_BYTES)
  padded.set(key)
  const inner = sha256(
    join(
      padded.map((byte) => byte ^ 0x36),
      message,
    ),
  )
  return sha256(
    join(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}
