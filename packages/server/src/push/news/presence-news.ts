import { type LogEntry, numbersIn, type Presence, type ShownVisitor } from '@seatwise/domain'
import { type Room, ticketId } from '../../rooms/index.ts'

/** As many names as a viewer can read. */
const PRESENT_MAX = 200
/** Names that are remembered, so that leaving can be announced. */
const KNOWN_MAX = 10_000
/** A viewer cannot read more changes at once. */
const CHANGES_MAX = 100

/** What visitors said last about being shown: a name, or null. Tickets that the ledger has not heard of yet are missing. */
export type ReadShown = (
  numbers: readonly number[],
) => Promise<ReadonlyMap<number, { readonly name: string; readonly avatar: string | null } | null>>

/**
 * Visitors who come and go, by name: only in rooms with `presence`, and only visitors who agreed to be shown. Follows
 * the log like all news. The log has what was said on joining; what was said since is the ledger's, and counts.
 */
export class PresenceNews {
  readonly #room: Room
  readonly #readShown: ReadShown | null
  readonly #known = new Map<number, ShownVisitor>()
  #joined = new Map<number, ShownVisitor>()
  #left = new Set<string>()

  /** Without `readShown` no name is sent. */
  constructor(room: Room, readShown: ReadShown | null) {
    this.#room = room
    this.#readShown = readShown
  }

  get isOn(): boolean {
    return this.#readShown !== null && this.#room.settings.presence
  }

  get hasNews(): boolean {
    return this.#joined.size + this.#left.size > 0
  }

  begin(): void {
    this.#known.clear()
    this.#joined.clear()
    this.#left.clear()
  }

  /** The names at the head of the line, for a new listener. */
  async present(): Promise<Presence> {
    const items = await this.#room.range(0, PRESENT_MAX - 1)
    const said = await this.#said(items.map(({ number }) => number))
    const present = items.flatMap(({ number, shown }) => {
      const told = said.has(number) ? said.get(number) : shown
      return told ? [this.#meet(number, told)] : []
    })
    return { type: 'PRESENCE', present }
  }

  follow({ change }: LogEntry): void {
    if (!this.isOn) return
    if (change.kind === 'joined' && change.shown !== null) {
      this.#came(change.number, this.#meet(change.number, change.shown))
    }
    if (change.kind === 'back') for (const number of change.numbers) this.#came(number, this.#known.get(number))
    if (change.kind === 'admitted' || change.kind === 'away' || change.kind === 'expired') {
      for (const number of numbersIn(change)) this.#went(number)
    }
  }

  /** Who came and left since the last call. If the ledger cannot be read, those who came are not named. */
  async take(): Promise<Presence> {
    const [joined, left] = [[...this.#joined].slice(0, CHANGES_MAX), [...this.#left].slice(0, CHANGES_MAX)]
    this.#joined = new Map()
    this.#left = new Set()
    const said = await this.#said(joined.map(([number]) => number)).catch(() => null)
    const named = joined.flatMap(([number, visitor]) => {
      const told = said?.has(number) ? said.get(number) : visitor
      return said === null || !told ? [] : [{ ...visitor, ...told }]
    })
    return { type: 'PRESENCE', joined: named, left }
  }

  async #said(numbers: readonly number[]): ReturnType<ReadShown> {
    return this.#readShown === null || numbers.length === 0 ? new Map() : await this.#readShown(numbers)
  }

  #meet(number: number, shown: { name: string; avatar: string | null }): ShownVisitor {
    const visitor = { ticketId: ticketId(this.#room.id, number), ...shown }
    if (this.#known.size < KNOWN_MAX) this.#known.set(number, visitor)
    return visitor
  }

  #came(number: number, visitor: ShownVisitor | undefined): void {
    if (visitor === undefined) return
    this.#left.delete(visitor.ticketId)
    if (this.#joined.size < KNOWN_MAX) this.#joined.set(number, visitor)
  }

  #went(number: number): void {
    const visitor = this.#known.get(number)
    if (visitor === undefined) return
    this.#joined.delete(number)
    this.#left.add(visitor.ticketId)
  }
}
