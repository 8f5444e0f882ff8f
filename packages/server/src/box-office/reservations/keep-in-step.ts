import { findPaid, readSeatCounts, readTicketSeats, type TicketSeats } from '@seatwise/ledger'
import type { FloorItem } from '@seatwise/line'
import { eachAlone } from '../../kit/index.ts'
import type { Room } from '../../rooms/index.ts'
import { differences, FLOOR_MAX } from './compare-floor.ts'
import { completeTicket, giveBack, type TellParts, tellLine } from './tell-line.ts'

export interface StepParts extends TellParts {
  readonly now: () => number
  /** Smaller in tests. */
  readonly floorMax?: number
}

/**
 * A comparison reads the whole floor, and only a crash leaves anything to find: large floors and busy stores are
 * compared less often, so that comparing takes no more than this share of the time.
 */
const TIME_SHARE_MAX = 0.02
const COMPARED_MS_MAX = 60_000
/** While seats are changing, comparing rarely pays: whatever a crash left behind is found within half a minute. */
const BUSY_MS = 20_000

interface Known {
  /** The version last sent to the line, and the version at which floor and ledger were last compared. */
  told: number
  compared: number
  /** Tickets that had seats without being on the floor at the last comparison. */
  absent: ReadonlySet<number>
  /** The version when a comparison was last considered: a different one now means that seats are changing. */
  seen: number
  comparedAt: number
  /** The earliest time of the next comparison. */
  restsUntil: number
}

/**
 * Keeps lines in step with the ledger. A server that changes seats tells the line at once; this finds changes that were
 * not told because a server died in between, and changes made outside a server, such as an edited plan.
 */
export class LineKeeper {
  readonly #parts: StepParts
  readonly #known = new Map<string, Known>()

  constructor(parts: StepParts) {
    this.#parts = parts
  }

  /** Sends the latest counts to every line of this server, with one query to the ledger. */
  async bringNews(): Promise<void> {
    const rooms = this.#rooms()
    for (const eventId of this.#known.keys()) if (!rooms.has(eventId)) this.#known.delete(eventId)
    for (const { eventId, version, counts, offered } of await readSeatCounts(this.#parts.ledger.db, [
      ...rooms.keys(),
    ])) {
      const known = this.#of(eventId)
      if (version <= known.told) continue
      await tellLine(this.#parts, eventId, { version, counts, offered }, [])
      known.told = version
    }
  }

  /** Compares the tickets that have seats: once for each version, again while differences remain, and rate limited. */
  async compareAll(): Promise<void> {
    await eachAlone(
      this.#rooms(),
      ([eventId, room]) => this.#compareIfDue(eventId, room),
      ([event], err) => this.#parts.log.warn({ err, event }, 'a floor was not compared with the ledger, retrying'),
    )
  }

  async #compareIfDue(eventId: string, room: Room): Promise<void> {
    const known = this.#of(eventId)
    if (known.compared === known.told && known.absent.size === 0) return
    const startedAt = this.#parts.now()
    const isBusy = known.seen !== known.told && known.absent.size === 0
    known.seen = known.told
    if (startedAt < known.restsUntil || (isBusy && startedAt < known.comparedAt + BUSY_MS)) return
    await this.#compare(eventId, room, known)
    known.comparedAt = startedAt
    const tookMs = this.#parts.now() - startedAt
    known.restsUntil = startedAt + Math.min(COMPARED_MS_MAX, tookMs / TIME_SHARE_MAX)
  }

  async #compare(eventId: string, room: Room, known: Known): Promise<void> {
    const { ledger, floorMax = FLOOR_MAX } = this.#parts
    // Read the ledger first: a ticket that has seats there and is not on the floor after that has left it.
    const held = await readTicketSeats(ledger.db, eventId, floorMax)
    if (held === null) return
    const floor = await room.floor(floorMax)
    const results = differences(held, floor)
    if (results.length > 0) await tellLine(this.#parts, eventId, held, results)
    await this.#completePaid(room, floor)
    const absent = floor.length < floorMax ? absentFrom(floor, held.tickets) : new Set<number>()
    // Seen twice, because a line that is being rebuilt may miss tickets for a moment.
    const gone = [...absent].filter((number) => known.absent.has(number))
    if (gone.length > 0) await giveBack(this.#parts, { eventId, roomId: room.id, ticketNumbers: gone })
    known.absent = absent
    known.compared = held.version
  }

  /** A buyer who has paid needs no slot any more; the server that took the money may have died before freeing it. */
  async #completePaid(room: Room, floor: readonly FloorItem[]): Promise<void> {
    const numbers = floor.map(({ number }) => number)
    for (const number of await findPaid(this.#parts.ledger.db, room.id, numbers)) await completeTicket(room, number)
  }

  #rooms(): Map<string, Room> {
    const rooms = new Map<string, Room>()
    for (const room of this.#parts.rooms.openRooms()) if (room.row.eventId !== null) rooms.set(room.row.eventId, room)
    return rooms
  }

  #of(eventId: string): Known {
    const known = this.#known.get(eventId) ?? newToUs()
    this.#known.set(eventId, known)
    return known
  }
}

function newToUs(): Known {
  return { told: 0, compared: 0, absent: new Set(), seen: 0, comparedAt: Number.NEGATIVE_INFINITY, restsUntil: 0 }
}

function absentFrom(floor: readonly FloorItem[], held: readonly TicketSeats[]): ReadonlySet<number> {
  const present = new Set(floor.map(({ number }) => number))
  return new Set(held.map(({ number }) => number).filter((number) => !present.has(number)))
}
