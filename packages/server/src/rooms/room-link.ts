import { SeatwiseError } from '@seatwise/domain'
import type { RoomRow } from '@seatwise/ledger'
import { LineLost, type RoomAt } from '@seatwise/line'
import type { Logger } from 'pino'
import { waitMs } from '../kit/index.ts'
import { ensureLine, type RebuildParts } from './rebuild-room.ts'

/** How long a request may wait for a rebuild before it is told to retry: most rebuilds take less. */
const ABSORB_MS = 800
const RETRY_MS_MIN = 50
const RETRY_MS_MAX = 1_000

export interface RoomLinkOptions extends RebuildParts {
  readonly room: string
  readonly log: Logger
  /** Aborted when the server stops: retries end. */
  readonly closing: AbortSignal
  /** Called when the room has an epoch that this server has not worked with yet. */
  readonly onEpoch: (row: RoomRow) => Promise<void>
}

/**
 * Keeps one server attached to a room's line: its epoch, and how much of its history this server has seen. A request or
 * loop that finds the line lost starts the recovery here, once for all of them.
 */
export class RoomLink {
  readonly #options: RoomLinkOptions
  #at: RoomAt
  #recovery: Promise<void> | null = null

  constructor(options: RoomLinkOptions) {
    this.#options = options
    this.#at = { room: options.room, epoch: 0, seenSeq: 0 }
  }

  get epoch(): number {
    return this.#at.epoch
  }

  get seenSeq(): number {
    return this.#at.seenSeq
  }

  get recovering(): boolean {
    return this.#recovery !== null
  }

  /** Attaches for the first time; retries until it succeeds. */
  async open(): Promise<void> {
    await this.#recover(null)
    if (this.epoch === 0) throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
  }

  /** A reply showed that the log reaches this far. */
  saw(epoch: number, seq: number): void {
    if (epoch === this.#at.epoch && seq > this.#at.seenSeq) this.#at = { ...this.#at, seenSeq: seq }
  }

  /** Runs one step of the line for a request. */
  async run<Reply>(step: (at: RoomAt) => Promise<Reply>): Promise<Reply> {
    if (this.#recovery !== null) await soon(this.#recovery)
    const at = this.#at
    try {
      return await step(at)
    } catch (error) {
      if (error instanceof LineLost) {
        this.lost(at.epoch, error.why)
        throw rebuilding(error)
      }
      if (error instanceof SeatwiseError) throw error
      throw new SeatwiseError('UNAVAILABLE', { cause: error, retryAfterSeconds: 1 })
    }
  }

  /** Runs one step of a background loop: waits for a recovery without a limit, and passes errors on. */
  async runPatiently<Reply>(step: (at: RoomAt) => Promise<Reply>): Promise<Reply> {
    while (this.#recovery !== null) await this.#recovery
    const at = this.#at
    try {
      return await step(at)
    } catch (error) {
      if (error instanceof LineLost) this.lost(at.epoch, error.why)
      throw error
    }
  }

  /** The line of this epoch cannot be trusted. Starts the recovery unless it is running, or has already happened. */
  lost(epoch: number, reason: string): void {
    if (epoch !== this.#at.epoch || this.#recovery !== null || this.#options.closing.aborted) return
    this.#options.log.warn({ epoch, reason }, 'line lost, rebuilding')
    void this.#recover({ epoch, reason })
  }

  #recover(lost: { epoch: number; reason: string } | null): Promise<void> {
    this.#recovery ??= this.#attach(lost).finally(() => {
      this.#recovery = null
    })
    return this.#recovery
  }

  /**
   * Retries until the room is open: the stores may be unavailable for a while, and no other server attaches this one.
   */
  async #attach(found: { epoch: number; reason: string } | null): Promise<void> {
    let lost = found
    let failures = 0
    while (!this.#options.closing.aborted) {
      try {
        // Comparing finds a missing or foreign epoch; a regressed one looks right and has to be named.
        const regressed = lost !== null && isUntrustworthy(lost.reason) ? lost : null
        const row = await ensureLine(this.#options, this.#at.room, regressed ?? reasonOnly(lost))
        this.#at = { room: this.#at.room, epoch: row.epoch, seenSeq: row.seq }
        await this.#options.onEpoch(row)
        return
      } catch (err) {
        // A line that looked right has less history than the ledger: the next attempt must treat it as lost.
        if (err instanceof LineLost) lost = { epoch: this.#at.epoch, reason: err.why }
        if (failures === 0) this.#options.log.error({ err }, 'the room cannot be opened yet, trying again')
        await waitMs(Math.min(RETRY_MS_MIN * 2 ** failures++, RETRY_MS_MAX))
      }
    }
  }
}

/** The awaited value, or REBUILDING when it takes longer than a request should wait. */
export async function soon<Result>(awaited: Promise<Result>, withinMs = ABSORB_MS): Promise<Result> {
  const tooLate = Symbol('too late')
  const outcome = await Promise.race([awaited, waitMs(withinMs).then(() => tooLate)])
  if (outcome === tooLate) throw rebuilding()
  // Only our own symbol is not a result.
  return outcome as Result
}

function isUntrustworthy(reason: string): boolean {
  return reason === 'regressed' || reason === 'conflict'
}

function reasonOnly(lost: { reason: string } | null): { epoch: number; reason: string } | null {
  return lost === null ? null : { epoch: -1, reason: lost.reason }
}

function rebuilding(cause?: unknown): SeatwiseError {
  return new SeatwiseError('REBUILDING', { cause, retryAfterSeconds: 1 })
}
