import { type Ledger, type RoomRow, readRoom } from '@seatwise/ledger'
import type { Logger } from 'pino'

const RETRY_MS = 1_000
/** Whether the event was cancelled is asked this often at most, and only after its sale ended. */
const LOOK_AT_STATE_MS = 1_000

export interface KnownRowParts {
  readonly id: string
  readonly ledger: Pick<Ledger, 'db'>
  readonly log: Logger
  readonly closing: AbortSignal
  readonly now: () => number
}

/**
 * A room's row as this server knows it: it has what the line does not know of the sale. After another server has changed
 * the room, the row is read again until that succeeds, one query at a time, however many changes the log tells of.
 */
export class KnownRow {
  readonly #parts: KnownRowParts
  #row: RoomRow | null = null
  #isOutdated = false
  #learned = 0
  #lookedAt = 0
  #running: Promise<void> | null = null

  constructor(parts: KnownRowParts) {
    this.#parts = parts
  }

  get value(): RoomRow {
    if (this.#row === null) throw new Error(`The room ${this.#parts.id} is not open`)
    return this.#row
  }

  /** Only visitors with an access code join now. */
  get isPresale(): boolean {
    const until = this.#row?.presaleUntil ?? null
    return until !== null && this.#parts.now() < until.getTime()
  }

  get hidesSeats(): boolean {
    return this.#row?.hidesSeats === true
  }

  /** Of the event; undefined before the room is open. */
  get state(): RoomRow['state'] | undefined {
    return this.#row?.state
  }

  /** Whether its event was cancelled; reads the ledger at most once a second. */
  async isCancelled(): Promise<boolean> {
    const { id, ledger, now } = this.#parts
    const isKnown = this.state === 'cancelled' || this.state === null
    if (!isKnown && now() - this.#lookedAt >= LOOK_AT_STATE_MS) {
      this.#lookedAt = now()
      this.learnState((await readRoom(ledger.db, { roomId: id }))?.state ?? null)
    }
    return this.state === 'cancelled'
  }

  learnState(state: RoomRow['state']): void {
    if (this.#row !== null && this.#row.state !== state) this.#row = { ...this.#row, state }
  }

  learn(row: RoomRow): void {
    this.#learned += 1
    this.#row = row
  }

  /** The room was changed, perhaps by another server. */
  reread(): void {
    this.#isOutdated = true
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  /** Resolves when no query is running. */
  async ended(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { id, ledger, log, closing } = this.#parts
    while (this.#isOutdated && !closing.aborted) {
      this.#isOutdated = false
      try {
        const learned = this.#learned
        const row = await readRoom(ledger.db, { roomId: id })
        // A change of this server's own may have overtaken the query.
        if (learned !== this.#learned) this.#isOutdated = true
        else if (row !== null) this.learn(row)
      } catch (err) {
        if (closing.aborted) return
        this.#isOutdated = true
        log.warn({ err }, 'a changed room could not be read again, retrying')
        await pause(closing)
      }
    }
  }
}

/** Until it is time for the next attempt, or the server stops. */
function pause(closing: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, RETRY_MS).unref()
  const stop = () => {
    clearTimeout(timer)
    resolve()
  }
  closing.addEventListener('abort', stop, { once: true })
  return promise.finally(() => closing.removeEventListener('abort', stop))
}
