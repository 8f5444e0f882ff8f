import type { LogEntry, Presence, ShownVisitor } from '@seatwise/domain'
import { type Room, ticketId } from '../../rooms/index.ts'

/** As many names as a viewer can read. */
const PRESENT_MAX = 200
/** Names that are remembered, so that leaving can be announced. */
const KNOWN_MAX = 10_000
/** A viewer cannot read more changes at once. */
const CHANGES_MAX = 100

/**
 * Visitors who come and go, by name: only in rooms with `presence`, and only visitors who agreed to be shown. Follows
 * the log like all news.
 */
export class PresenceNews {
  readonly #room: Room
  readonly #known = new Map<number, ShownVisitor>()
  #joined = new Map<string, ShownVisitor>()
  #left = new Set<string>()

  constructor(room: Room) {
    this.#room = room
  }

  get isOn(): boolean {
    return this.#room.settings.presence
  }

  begin(): void {
    this.#known.clear()
    this.#joined.clear()
    this.#left.clear()
  }

  /** The names at the head of the line, for a new listener. */
  async present(): Promise<Presence> {
    const items = await this.#room.range(0, PRESENT_MAX - 1)
    const present = items.flatMap(({ number, shown }) => (shown === null ? [] : [this.#meet(number, shown)]))
    return { type: 'PRESENCE', present }
  }

  follow({ change }: LogEntry): void {
    if (!this.isOn || !('number' in change)) return
    if (change.kind === 'joined' && change.shown !== null) this.#came(this.#meet(change.number, change.shown))
    if (change.kind === 'back') this.#came(this.#known.get(change.number))
    if (change.kind === 'admitted' || change.kind === 'away' || change.kind === 'expired') this.#went(change.number)
  }

  /** Who came and left since the last call; null when there is no change. */
  take(): Presence | null {
    if (this.#joined.size + this.#left.size === 0) return null
    const [joined, left] = [[...this.#joined.values()], [...this.#left]]
    this.#joined = new Map()
    this.#left = new Set()
    return { type: 'PRESENCE', joined: joined.slice(0, CHANGES_MAX), left: left.slice(0, CHANGES_MAX) }
  }

  #meet(number: number, shown: { name: string; avatar: string | null }): ShownVisitor {
    const visitor = { ticketId: ticketId(this.#room.id, number), ...shown }
    if (this.#known.size < KNOWN_MAX) this.#known.set(number, visitor)
    return visitor
  }

  #came(visitor: ShownVisitor | undefined): void {
    if (visitor === undefined) return
    this.#left.delete(visitor.ticketId)
    if (this.#joined.size < KNOWN_MAX) this.#joined.set(visitor.ticketId, visitor)
  }

  #went(number: number): void {
    const visitor = this.#known.get(number)
    if (visitor === undefined) return
    this.#joined.delete(visitor.ticketId)
    this.#left.add(visitor.ticketId)
  }
}
