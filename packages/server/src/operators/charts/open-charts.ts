import { type Ledger, readEntries, readFlows, readSeatFlows, type SeatFlow } from '@seatwise/ledger'
import type { Registry } from 'prom-client'
import { measureBuffers, RecentMap } from '../../kit/index.ts'
import { EstimateErrors } from './estimate-errors.ts'
import { RoomChart } from './room-chart.ts'

/** The most rooms that one server caches charts for; for others it adds the log up again. */
const CHARTS_MAX = 100
/** A request within this time gets the cached result. */
const FRESH_MS = 1_000
/** How many log entries one statement reads. */
const ENTRIES_MAX = 50_000
/** Estimates are judged entry by entry in this process: fewer at a time, so that no visitor waits for an operator. */
const JUDGED_MAX = 2_000

export interface WatchedSale {
  readonly chart: RoomChart
  readonly errors: EstimateErrors
  /** Seats of the event that became held or sold; empty for rooms without an event. */
  readonly seatFlows: readonly SeatFlow[]
}

export interface Charts {
  /** The charts of a room as the ledger has it now. A room that is not watched costs nothing. */
  read(roomId: string, eventId: string | null): Promise<WatchedSale>
}

export function openCharts(ledger: Ledger, metrics: Registry, now: () => number): Charts {
  const watched = new RecentMap<string, Watch>(CHARTS_MAX)
  measureBuffers(metrics, { room_charts: () => watched.size })
  return {
    read(roomId, eventId) {
      const watch = watched.get(roomId) ?? new Watch(ledger, roomId, eventId)
      watched.set(roomId, watch)
      return watch.read(now())
    },
  }
}

class Watch {
  readonly #ledger: Ledger
  readonly #roomId: string
  readonly #eventId: string | null
  readonly #chart = new RoomChart()
  readonly #errors = new EstimateErrors()
  #seatFlows: readonly SeatFlow[] = []
  #seatMapVersion = -1
  #readAt = 0
  #reading: Promise<WatchedSale> | null = null

  constructor(ledger: Ledger, roomId: string, eventId: string | null) {
    this.#ledger = ledger
    this.#roomId = roomId
    this.#eventId = eventId
  }

  /** Requests that arrive together share one read. */
  read(nowMs: number): Promise<WatchedSale> {
    if (this.#reading === null) {
      this.#reading = this.#refresh(nowMs).finally(() => {
        this.#reading = null
      })
    }
    return this.#reading
  }

  async #refresh(nowMs: number): Promise<WatchedSale> {
    if (nowMs - this.#readAt >= FRESH_MS) {
      await this.#followLog()
      await this.#judgeEstimates()
      await this.#followSeats()
      this.#chart.goOn(nowMs)
      this.#readAt = nowMs
    }
    return { chart: this.#chart, errors: this.#errors, seatFlows: this.#seatFlows }
  }

  async #followLog(): Promise<void> {
    while (true) {
      const flows = await readFlows(this.#ledger.replica, this.#roomId, this.#chart.position, ENTRIES_MAX)
      this.#chart.add(flows)
      if (flows.reduce((sum, { entries }) => sum + entries, 0) < ENTRIES_MAX) return
    }
  }

  async #judgeEstimates(): Promise<void> {
    while (true) {
      const entries = await readEntries(this.#ledger.replica, this.#roomId, this.#errors.position, JUDGED_MAX)
      this.#errors.follow(entries)
      if (entries.length < JUDGED_MAX) return
    }
  }

  /** Read again only when a seat has changed since. */
  async #followSeats(): Promise<void> {
    if (this.#eventId === null) return
    const map = await this.#ledger.replica
      .selectFrom('seat_maps')
      .select('version')
      .where('event_id', '=', this.#eventId)
      .executeTakeFirst()
    if (map === undefined || map.version === this.#seatMapVersion) return
    this.#seatFlows = await readSeatFlows(this.#ledger.replica, this.#eventId)
    this.#seatMapVersion = map.version
  }
}
