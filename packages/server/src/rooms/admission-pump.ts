import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import type { Admission, Line } from '@seatwise/line'
import type { Logger } from 'pino'
import type { RoomLink } from './room-link.ts'

/** Tickets one step may touch: about a millisecond of the store's time. */
const BATCH_MAX = 200
/** The interval while a visitor waits or is on the floor. */
const TICK_MS = 250
/** The interval otherwise; also how soon a lost line is noticed without requests. */
const IDLE_TICK_MS = 900

/** The minimum pause between two admission steps, however high the rate is. */
const TICK_MS_MIN = 10

export interface PumpParts {
  readonly line: Line
  readonly link: RoomLink
  readonly log: Logger
  readonly onAdmission: (admission: Admission) => void
}

/**
 * Calls the admission step: on a tick, when the step itself said it could act again, and at once when a slot became
 * free or a visitor joined an empty line. One step at a time on this server; other servers may do the same.
 */
export class AdmissionPump {
  readonly #parts: PumpParts
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null
  #nudged = false
  #arrived = false
  /** A waiting visitor could not be admitted in the last step; later visitors cannot be either. */
  #isBlocked = false
  #failing = false
  #closed = false

  constructor(parts: PumpParts) {
    this.#parts = parts
    this.#schedule(0)
  }

  /** Something happened that may admit a visitor. Has no effect while the line is empty. */
  nudge(): void {
    if (this.#running !== null) this.#nudged = true
    else if (this.#isBlocked) this.#schedule(0)
  }

  /** A visitor joined the line or came back to it. Has no effect while others wait there. */
  arrived(): void {
    if (this.#running !== null) this.#arrived = true
    else if (!this.#isBlocked) this.#schedule(0)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#running
  }

  #schedule(delayMs: number): void {
    if (this.#closed) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#running ??= this.#run().finally(() => {
        this.#running = null
      })
    }, delayMs)
    this.#timer.unref()
  }

  async #run(): Promise<void> {
    let delayMs = IDLE_TICK_MS
    try {
      do {
        this.#nudged = false
        this.#arrived = false
        const admission = await this.#admitAll()
        this.#isBlocked = admission.waiting > 0
        delayMs = nextTick(admission)
      } while ((this.#isBlocked ? this.#nudged : this.#arrived) && !this.#closed)
      if (this.#failing) this.#parts.log.info('admission works again')
      this.#failing = false
    } catch (err) {
      // Visitors are told the reason at once; the operator needs one log line, not four a second.
      if (!this.#failing && !this.#closed) this.#parts.log.error({ err }, 'admission failed, trying again')
      this.#failing = true
      this.#isBlocked = false
      delayMs = TICK_MS
    }
    this.#schedule(delayMs)
  }

  /** A full batch runs again at once. */
  async #admitAll(): Promise<Admission> {
    while (true) {
      const admission = await this.#parts.link.runPatiently(async (at) => {
        if (faults.on) await faults.reach('admit.before-apply')
        const reply = await this.#parts.line.admit(at, { batch: BATCH_MAX, operation: randomUUID() })
        if (faults.on) await faults.reach('admit.after-apply')
        this.#parts.link.saw(at.epoch, reply.seq)
        return reply
      })
      this.#parts.onAdmission(admission)
      if (!admission.more || this.#closed) return admission
    }
  }
}

function nextTick(admission: Admission): number {
  const busy = admission.waiting > 0 || admission.floor > 0
  const tick = busy ? TICK_MS : IDLE_TICK_MS
  if (admission.nextAt === null) return tick
  return Math.max(TICK_MS_MIN, Math.min(tick, admission.nextAt - admission.now))
}
