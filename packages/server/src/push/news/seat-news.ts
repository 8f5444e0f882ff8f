import type { SeatsChanged } from '@seatwise/domain'
import type { SeatMaps } from '../../box-office/index.ts'

/** About 50 KB; providers take 64 at most. What is more goes into further messages. */
const CHANGES_MAX = 800

/** What changed in the seat map of one event, from the copy that this server keeps. */
export class SeatNews {
  readonly #seatMaps: SeatMaps
  readonly #eventId: string
  #version: number | null = null

  constructor(seatMaps: SeatMaps, eventId: string) {
    this.#seatMaps = seatMaps
    this.#eventId = eventId
  }

  /** Whatever changes after this is told: to be awaited before somebody is told that they hear it. */
  async begin(): Promise<void> {
    const copy = await this.#seatMaps.read(this.#eventId)
    if (copy === null) return
    // Nobody may have listened for so long that the copy is another one by now.
    const isKnown = this.#version !== null && copy.changesSince(this.#version) !== null
    if (!isKnown) this.#version = copy.version
  }

  /** What changed since it was last asked. */
  take(): SeatsChanged[] {
    const copy = this.#seatMaps.peek(this.#eventId)
    if (copy === null) return []
    const from = this.#version
    this.#version = copy.version
    if (from === null || from === copy.version) return []
    // The copy was made anew since: whoever has an older version loads the map when they next look at it.
    return this.#parts(copy.changesSince(from) ?? [], from, copy.version)
  }

  /** What somebody missed who has a version; nothing when that is not known any more. */
  since(version: number): SeatsChanged[] {
    const copy = this.#seatMaps.peek(this.#eventId)
    const changes = copy?.changesSince(version) ?? null
    return copy === null || changes === null ? [] : this.#parts(changes, version, copy.version)
  }

  #parts(changes: SeatsChanged['changes'], from: number, version: number): SeatsChanged[] {
    const parts: SeatsChanged[] = []
    for (let start = 0; start < changes.length; start += CHANGES_MAX) {
      const part = { type: 'SEATS', from, version, changes: changes.slice(start, start + CHANGES_MAX) } as const
      parts.push(start + CHANGES_MAX < changes.length ? { ...part, more: true } : part)
    }
    return parts
  }
}
