import { catchUpTree, fixLogHost, keepHead, type Ledger, type LogHead, readTree } from '@seatwise/ledger'
import type { Logger } from 'pino'
import type { SigningKeys } from '../../identity/index.ts'
import { waitMs } from '../../kit/index.ts'
import { originOf, writeCheckpoint } from './checkpoint.ts'
import { toldHead } from './told-head.ts'

/** The minimum time between two heads of a room: each stays in the ledger for ever. */
const APART_MS = 1_000
const RETRY_MS = 1_000
/** How old the head may be that a server tells which does not sign. */
const HEAD_MS_MAX = 500

export interface RoomHeadsParts {
  readonly ledger: Ledger
  readonly room: string
  readonly log: Logger
  readonly keys: SigningKeys
  /** The host of this site, for the name of a log that has none yet. */
  readonly host: string
  /** Whether this server signs: the one that copies the log. */
  readonly isSigner: () => boolean
  readonly closing: AbortSignal
}

/** A head as it is served. */
export interface Head {
  readonly size: number
  readonly root: string
  readonly at: string
  readonly kid: string
  readonly checkpoint: string
}

/**
 * Signs the heads of a room's log on the server that copies it, and knows the latest on every other. Runs after the copying:
 * nothing waits for it. Rules N5, N6.
 */
export class RoomHeads {
  readonly #parts: RoomHeadsParts
  #latest: Head | null = null
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null
  #isStale = true
  #wake: () => void = () => {}

  constructor(parts: RoomHeadsParts) {
    this.#parts = parts
    parts.closing.addEventListener('abort', () => this.#wake(), { once: true })
  }

  /** The ledger has new entries, or this server may sign from now on. */
  nudge(): void {
    this.#isStale = true
    this.#wake()
  }

  /** What this server knows now, without waiting; it looks again in the background. */
  get current(): Head | null {
    if (this.#isOld()) this.refresh().catch(() => undefined)
    return this.#latest
  }

  /** At most half a second old; null before the first head. */
  async latest(): Promise<Head | null> {
    if (this.#isOld()) await this.refresh()
    return this.#latest
  }

  /** Reads the latest head; callers that ask together share one read. */
  async refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    await this.#reading
  }

  async run(isOpen: () => boolean): Promise<void> {
    let isFailing = false
    while (isOpen()) {
      if (!this.#isStale || !this.#parts.isSigner()) await this.#rest()
      if (!isOpen() || !this.#isStale || !this.#parts.isSigner()) continue
      this.#isStale = false
      try {
        await this.#sign(isOpen)
        isFailing = false
      } catch (err) {
        if (!isOpen()) return
        const { log, room } = this.#parts
        if (!isFailing) log.warn({ err, room }, 'the head of the log cannot be signed, trying again')
        isFailing = true
        this.#isStale = true
        await waitMs(RETRY_MS)
      }
    }
  }

  async #sign(isOpen: () => boolean): Promise<void> {
    const { ledger, room, keys } = this.#parts
    let tree = await readTree(ledger.db, room)
    const restMs = APART_MS - tree.headAgeMs
    if (tree.head !== null && tree.head.size < tree.logSize && restMs > 0) {
      await waitMs(restMs)
      tree = await readTree(ledger.db, room)
    }
    if (tree.size < tree.logSize) {
      while (!(await catchUpTree(ledger, room))) if (!isOpen()) return
      tree = await readTree(ledger.db, room)
    }
    this.#learn(tree.head)
    const { size, root } = tree
    if (root === null || size === (tree.head?.size ?? 0)) return
    const origin = originOf(tree.logHost ?? (await fixLogHost(ledger.db, room, this.#parts.host)), room)
    const key = keys.signer()
    const checkpoint = writeCheckpoint({ origin, size, root }, key)
    this.#learn(await keepHead(ledger.db, room, { size, root, kid: key.kid, checkpoint }))
  }

  async #read(): Promise<void> {
    const { ledger, room } = this.#parts
    this.#learn((await readTree(ledger.db, room)).head)
  }

  /** Heads only grow: one that was read before a newer one was signed is not taken. */
  #learn(head: LogHead | null): void {
    this.#readAt = performance.now()
    if (head === null || head.size <= (this.#latest?.size ?? 0)) return
    this.#latest = toldHead(head)
  }

  #isOld(): boolean {
    if (this.#parts.isSigner() && this.#latest !== null) return false
    return performance.now() - this.#readAt > HEAD_MS_MAX
  }

  /** Waits for news, or until it is time to see whether this server signs now. */
  #rest(): Promise<void> {
    if (this.#parts.closing.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS)
      timer.unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
