import type { Line, PresentPage } from '@seatwise/line'
import type { Logger } from 'pino'
import { readGently, waitMs } from '../../kit/index.ts'
import type { RoomLink } from '../room-link.ts'

const RETRY_MS = 1_000

export interface TicketReaderParts {
  readonly line: Line
  readonly link: Pick<RoomLink, 'epoch' | 'runPatiently'>
  readonly log: Logger
  readonly learn: (page: PresentPage) => void
}

/**
 * Reads, in the background, which tickets of a room wait: those that were drawn before this server began to read the log,
 * or in a part of the log that it missed. Without it the first poll of each of them would ask the store.
 */
export class TicketReader {
  readonly #parts: TicketReaderParts
  readonly #isOpen: () => boolean
  #pass = 0
  #reading: Promise<void> | null = null

  constructor(parts: TicketReaderParts, isOpen: () => boolean) {
    this.#parts = parts
    this.#isOpen = isOpen
  }

  /** Reads all tickets, from the first one on, also if a reading is under way. */
  restart(): void {
    this.#pass += 1
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null
    })
  }

  async ended(): Promise<void> {
    await this.#reading
  }

  async #readAll(): Promise<void> {
    let pass = 0
    let from = 0
    await readGently(async () => {
      if (pass !== this.#pass) from = 0
      pass = this.#pass
      const page = await this.#readPage(from)
      if (page === null || pass !== this.#pass) return 'more'
      this.#parts.learn(page)
      from = page.next ?? from
      return page.next === null ? 'done' : 'more'
    }, this.#isOpen)
  }

  /** Null when the page could not be read, or is of an epoch that has ended. */
  async #readPage(from: number): Promise<PresentPage | null> {
    const { line, link, log } = this.#parts
    try {
      return await link.runPatiently(async (at) => {
        const page = await line.present(at, from)
        return at.epoch === link.epoch ? page : null
      })
    } catch (err) {
      if (this.#isOpen()) log.debug({ err }, 'the waiting tickets cannot be read, trying again')
      await waitMs(RETRY_MS)
      return null
    }
  }
}
