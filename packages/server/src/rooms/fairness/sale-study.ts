import { type LineFairness, LineStudy, mergeNetworks, type NetworkGroup, NumberColumn } from '@seatwise/domain'
import { draws, fairness, joining, type Ledger, readEntries, readTree, type TreeState } from '@seatwise/ledger'
import { networkOf } from '../../http/index.ts'
import { waitMs } from '../../kit/index.ts'
import type { Head } from '../transparency/room-heads.ts'
import { toldHead } from '../transparency/told-head.ts'

/** Counted entry by entry in this process: few at a time, so that no visitor waits for a report. */
const ENTRIES_AT_ONCE = 2_000
/** Every entry is in a head within two seconds (N5). */
const HEAD_MS_MAX = 2_000
const LOOK_AGAIN_MS = 100

/** The figures of a sale, and the head of the log that they were counted up to. */
export interface SaleFigures extends LineFairness {
  readonly draw: {
    readonly mode: 'commit' | 'drand'
    /** Tickets that took part; null while the line is not sealed. */
    readonly count: number | null
    readonly redraws: number
  } | null
  /** Null where there are too few networks to tell of, or their addresses were deleted. */
  readonly networks: NetworkGroup[] | null
  /** How many joins were refused, by reason: servers count them, the log does not tell them. */
  readonly refusals: { reason: string; count: number }[]
  readonly head: Head
}

/** Counts how fair one sale was. It continues where it was when it is read again, and needs nothing but the ledger. */
export class SaleStudy {
  readonly #ledger: Pick<Ledger, 'db'>
  readonly #room: string
  readonly #line = new LineStudy()
  #followed = 0

  constructor(ledger: Pick<Ledger, 'db'>, room: string) {
    this.#ledger = ledger
    this.#room = room
  }

  /** Null while no head of the log is signed. `isWhole`: the log has no entry beyond the head. */
  async read(): Promise<{ readonly figures: SaleFigures; readonly isWhole: boolean } | null> {
    const { db } = this.#ledger
    const { head, logSize } = await this.#readHead()
    if (head === null) return null
    while (this.#followed < head.size) {
      const max = Math.min(ENTRIES_AT_ONCE, head.size - this.#followed)
      const entries = await readEntries(db, this.#room, this.#line.position, max)
      if (entries.length === 0) throw new Error(`The log of room ${this.#room} is shorter than its head`)
      for (const entry of entries) this.#line.follow(entry)
      this.#followed += entries.length
    }
    const { places, networks } = await this.#readTickets()
    const draw = await draws.readDraw(db, this.#room)
    const figures: SaleFigures = {
      ...this.#line.figures((number) => places.get(number)),
      draw: draw === null ? null : { mode: draw.note.mode, count: draw.sealed?.count ?? null, redraws: draw.redraws },
      networks,
      refusals: (await joining.readRefusals(db, this.#room)).map(({ reason, count }) => ({ reason, count })),
      head: toldHead(head),
    }
    return { figures, isWhole: head.size === logSize }
  }

  /** The head that covers the log as it is now, unless that takes too long: then the latest there is. */
  async #readHead(): Promise<Pick<TreeState, 'head' | 'logSize'>> {
    let tree = await readTree(this.#ledger.db, this.#room)
    const { logSize } = tree
    for (let waitedMs = 0; waitedMs < HEAD_MS_MAX && (tree.head?.size ?? 0) < logSize; waitedMs += LOOK_AGAIN_MS) {
      await waitMs(LOOK_AGAIN_MS)
      tree = await readTree(this.#ledger.db, this.#room)
    }
    return tree
  }

  async #readTickets(): Promise<{ places: NumberColumn; networks: NetworkGroup[] | null }> {
    const places = new NumberColumn()
    const networks = new Map<string, { tickets: number; admitted: number }>()
    for await (const page of fairness.readTicketFacts(this.#ledger.db, this.#room)) {
      for (const { number, place, address, isAdmitted } of page) {
        places.set(number, place)
        if (address === null) continue
        const name = networkOf(address)
        const network = networks.get(name) ?? { tickets: 0, admitted: 0 }
        network.tickets += 1
        network.admitted += Number(isAdmitted)
        networks.set(name, network)
      }
    }
    return { places, networks: mergeNetworks(bySize(networks.values())) }
  }
}

/** Networks with 1, 2–3, 4–7, 8–15, … tickets. */
function bySize(networks: Iterable<{ tickets: number; admitted: number }>): NetworkGroup[] {
  const groups = new Map<number, NetworkGroup>()
  for (const { tickets, admitted } of networks) {
    const ticketsMin = 2 ** Math.floor(Math.log2(tickets))
    const group = groups.get(ticketsMin)
    groups.set(ticketsMin, {
      ...{ ticketsMin, ticketsMax: ticketsMin * 2 - 1 },
      networks: (group?.networks ?? 0) + 1,
      tickets: (group?.tickets ?? 0) + tickets,
      admitted: (group?.admitted ?? 0) + admitted,
    })
  }
  return [...groups.values()].sort((a, b) => a.ticketsMin - b.ticketsMin)
}
