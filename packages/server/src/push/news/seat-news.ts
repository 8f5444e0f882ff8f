import type { SeatsChanged } from '@seatwise/domain'
import type { SeatMaps } from '../../box-office/index.ts'

/** About 50 KB; providers accept 64 at most. More changes go into further messages. */
const CHANGES_MAX = 800

/** Changes in the seat map of one event, from the copy that this server keeps. */
export class SeatNews {
  readonly #seatMaps: SeatMaps
  readonly #eventId: string
  #version: number | null = null

  constructor(seatMaps: SeatMaps, eventId: string) {
    this.#seatMaps = seatMaps
    this.#eventId = eventId
  }

  /** Every change after this is sent: await it before confirming a subscription. */
  async begin(): Promise<void> {
    const copy = await this.#seatMaps.read(this.#eventId)
    if (copy === null) return
    // After a long time without listeners the copy may have been replaced.
    const isKnown = this.#version !== null && copy.changesSince(this.#version) !== null
    if (!isKnown) this.#version = copy.version
  }

  /** What changed since the last call. */
  take(): SeatsChanged[] {
    const copy = this.#seatMaps.peek(this.#eventId)
    if (copy === null) return []
    const from = this.#version
    this.#version = copy.version
    if (from === null || from === copy.version) return []
    // The copy was replaced since: a client with an older version loads the map when it next shows it.
    return this.#parts(copy.changesSince(from) ?? [], from, copy.version)
  }

  /** What a client with this version missed; nothing when the version is too old. */
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
