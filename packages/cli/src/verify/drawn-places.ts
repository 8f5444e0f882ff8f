import { createHash, createHmac } from 'node:crypto'
import { appendLeaves, foldPeaks, type LogEntry, numbersIn, type TreeEdge } from '@seatwise/domain'

/** A ticket of a draw, at the place that it drew. */
export interface DrawnTicket {
  readonly number: number
  readonly class: 0 | 1 | 2 | 3
  readonly place: number
}

/** Computes the order of a draw from the log and its texts alone: what `revealed` says without saying it. */
export class DrawnPlaces {
  readonly #roomId: string
  readonly #waiting = new Map<number, DrawnTicket['class']>()
  #edge: TreeEdge = { size: 0, peaks: [] }
  #sealed: { readonly root: Uint8Array; readonly tickets: ReadonlyMap<number, DrawnTicket['class']> } | null = null

  constructor(roomId: string) {
    this.#roomId = roomId
  }

  /** Takes the next entry with its text. Returns the drawn tickets when it reveals the draw. */
  follow({ change }: LogEntry, text: string): readonly DrawnTicket[] {
    const drawn = change.kind === 'revealed' ? this.#draw(change.secret, change.signature) : []
    if (change.kind === 'joined' || change.kind === 'restored' || change.kind === 'classed')
      this.#waiting.set(change.number, change.class)
    else if (change.kind === 'grouped') {
      if (change.merged !== null) this.#waiting.delete(change.merged)
    } else if (ENDS.has(change.kind)) for (const number of numbersIn(change)) this.#waiting.delete(number)
    if (change.kind === 'sealed') {
      const root = foldPeaks(this.#edge.peaks, hashNode)
      if (root !== null) this.#sealed = { root, tickets: new Map(this.#waiting) }
    }
    const leaf = createHash('sha256').update(Uint8Array.of(0)).update(text).digest()
    this.#edge = appendLeaves(this.#edge, [leaf], hashNode).edge
    return drawn
  }

  #draw(secret: string, signature: string | undefined): readonly DrawnTicket[] {
    if (this.#sealed === null) return []
    const { root, tickets } = this.#sealed
    const seed = createHash('sha256').update(Buffer.from(secret, 'hex')).update(root)
    if (signature !== undefined) seed.update(createHash('sha256').update(Buffer.from(signature, 'hex')).digest())
    const key = seed.digest()
    const lots = [...tickets].map(([number, ticketClass]) => ({
      ...{ number, class: ticketClass },
      lot: createHmac('sha256', key).update(`${this.#roomId}:${number}`).digest('hex'),
    }))
    lots.sort((a, b) => b.class - a.class || (a.lot < b.lot ? -1 : a.lot > b.lot ? 1 : a.number - b.number))
    return lots
      .map(({ number, class: ticketClass }, rank) => ({ number, class: ticketClass, place: rank + 1 }))
      .filter(({ number }) => this.#waiting.has(number))
  }
}

/** What takes a ticket out of the line. */
const ENDS: ReadonlySet<LogEntry['change']['kind']> = new Set(['admitted', 'expired', 'completed', 'corrected'])

function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash('sha256').update(Uint8Array.of(1)).update(left).update(right).digest()
}
