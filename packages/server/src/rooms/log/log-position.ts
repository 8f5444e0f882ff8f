import type { PushPosition } from '@seatwise/domain'

/** `epoch-seq`, as in the id of a Server-Sent Event. */
export function formatLogPosition({ epoch, seq }: PushPosition): string {
  return `${epoch}-${seq}`
}

/** Null for a text that is not a position. */
export function parseLogPosition(text: string): PushPosition | null {
  const [, epoch, seq] = /^(\d{1,10})-(\d{1,15})$/.exec(text) ?? []
  return epoch === undefined || seq === undefined ? null : { epoch: Number(epoch), seq: Number(seq) }
}
