import { SeatwiseError } from '@seatwise/domain'
import { LogTree, readDrawing } from '@seatwise/ledger'
import { waitMs } from '../../kit/index.ts'
import type { Head, RoomHeads, RoomHeadsParts } from './room-heads.ts'

/** How long a caller waits for the first head of a room that was just opened. */
const FIRST_HEAD_MS = 3_000
const LOOK_AGAIN_MS = 50

/** Proves that one's own joining is in the log that everybody else sees. */
export interface Receipt {
  /** The text of the entry, as it is hashed and as the audit serves it. */
  readonly entry: string
  readonly index: number
  readonly head: Head
  readonly proof: { readonly hashes: readonly string[] }
}

/** What a room tells about its log to those who check it. */
export interface Transparency {
  /** Throws UNAVAILABLE when there is none for too long. */
  head(): Promise<Head>
  /** The audit path of an entry, in hex; throws BAD_REQUEST beyond the latest head. */
  inclusion(index: number, size: number): Promise<string[]>
  consistency(from: number, to: number): Promise<string[]>
  /** Null while the joining is in no head. */
  receipt(number: number): Promise<Receipt | null>
}

export function createTransparency(
  { ledger, room }: Pick<RoomHeadsParts, 'ledger' | 'room'>,
  heads: RoomHeads,
): Transparency {
  const tree = new LogTree(ledger.db, room)

  async function requireHead(size: number): Promise<void> {
    if (size <= ((await heads.latest())?.size ?? 0)) return
    // Another server may have signed it a moment ago.
    await heads.refresh()
    const signed = (await heads.latest())?.size ?? 0
    if (size > signed) throw new SeatwiseError('BAD_REQUEST', { message: `The latest head has ${signed} entries` })
  }

  return {
    async head() {
      const until = performance.now() + FIRST_HEAD_MS
      while (true) {
        const head = await heads.latest()
        if (head !== null) return head
        if (performance.now() > until) throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
        await waitMs(LOOK_AGAIN_MS)
      }
    },
    async inclusion(index, size) {
      if (index >= size) throw new SeatwiseError('BAD_REQUEST', { message: 'querystring/index must be below size' })
      await requireHead(size)
      return (await tree.inclusionProof(index, size)).map(toHex)
    },
    async consistency(from, to) {
      if (from > to) throw new SeatwiseError('BAD_REQUEST', { message: 'querystring/from must not be above to' })
      await requireHead(to)
      return (await tree.consistencyProof(from, to)).map(toHex)
    },
    async receipt(number) {
      const drawing = await readDrawing(ledger.db, room, number)
      if (drawing === null) return null
      const head = await headOver(heads, drawing.index)
      if (head === null) return null
      const hashes = (await tree.inclusionProof(drawing.index, head.size)).map(toHex)
      return { entry: drawing.entry, index: drawing.index, head, proof: { hashes } }
    },
  }
}

/** A head that covers the entry; null while there is none. */
async function headOver(heads: RoomHeads, index: number): Promise<Head | null> {
  const known = await heads.latest()
  if (known !== null && known.size > index) return known
  await heads.refresh()
  const head = await heads.latest()
  return head !== null && head.size > index ? head : null
}

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}
