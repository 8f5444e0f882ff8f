import type { Answer, Api } from './api.ts'
import { isPassing, LineError } from './errors.ts'
import { endsAt, type Memory, type News } from './memory.ts'
import { backOffMs, beforeDeadline, nextNowMs, nextPollMs, wantsPush } from './schedule.ts'
import { Listener } from './socket.ts'
import type { Standing } from './standing.ts'
import type { Environment, PlaceOptions, PushMessage, RoomNow } from './types.ts'

export interface WatchParts {
  readonly api: Api
  readonly environment: Environment
  readonly options: PlaceOptions
  readonly memory: () => Memory
  readonly tell: (news: News) => void
}

/** Timers that are so late tell that the device slept. */
const SLEPT_MS = 10_000
/** One's own news may be looked into at once, though not by everybody in the same millisecond. */
const OWN_NEWS_MS = 300
const ONLINE_AGAIN_MS = 1_000

/** Messages of one's own channel after which only an answer has all of it. */
const ASK_AFTER = /^(RESERVATION_|PAYMENT_|UNSUBSCRIBED|ERROR$)/

/**
 * The tab that polls. It asks as seldom as it may, sooner when its own turn is told, and never because of something that
 * everybody is told: then all would ask together.
 */
export class Watch {
  readonly #parts: WatchParts
  readonly #listener: Listener
  #isLeading = false
  #timer: unknown = null
  #nowTimer: unknown = null
  #dueAt = 0
  #askedAt = 0
  #failures = 0
  #acts = 0
  #asking: Promise<void> | null = null
  #stopWatching = () => {}

  constructor(parts: WatchParts) {
    this.#parts = parts
    this.#listener = new Listener({
      environment: parts.environment,
      url: `${parts.api.origin.replace(/^http/, 'ws')}/realtime`,
      subscription: () => this.#subscription(),
      hear: (message) => this.#heard(message),
      changed: () => this.#plan(),
    })
  }

  begin(): void {
    if (this.#isLeading) return
    const { page, now } = this.#parts.environment
    this.#isLeading = true
    this.#askedAt = now()
    this.#stopWatching = page?.onChange(() => this.#pageChanged()) ?? this.#stopWatching
    this.#plan()
    void this.#readNow()
  }

  end(): void {
    const { clearTimer } = this.#parts.environment
    this.#isLeading = false
    this.#stopWatching()
    clearTimer(this.#timer)
    clearTimer(this.#nowTimer)
    this.#listener.want(false)
  }

  /** Something was done meanwhile: a poll that was asked before knows nothing of it. */
  acted(): void {
    this.#acts++
    this.#listener.subscribe()
    this.#plan()
  }

  /** Asks now. Whoever asks while an answer is under way gets that one. */
  poll(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  /** Asks soon, each visitor at another moment. */
  askWithin(ms: number): void {
    this.#askIn(this.#parts.environment.random() * ms)
  }

  async #ask(): Promise<void> {
    const { environment, tell } = this.#parts
    const acts = this.#acts
    this.#askedAt = environment.now()
    let retryInMs: number | null = null
    try {
      const { body, skewMs } = await this.#status()
      this.#failures = 0
      tell({ kind: 'reach', event: 'answered' })
      if (acts === this.#acts) tell({ kind: 'standing', standing: body, skewMs })
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      if (isPassing(error)) {
        tell({ kind: 'reach', event: 'failed' })
        retryInMs = backOffMs(this.#failures++, error.retryAfterMs, environment.random())
      } else tell({ kind: 'refused', code: error.code })
    }
    this.#plan(retryInMs)
  }

  async #status(): Promise<Answer<Standing>> {
    const { api } = this.#parts
    const ask = () => api.send<Standing>('GET', `${api.room}/queue/status`)
    try {
      return await ask()
    } catch (error) {
      // Another tab of this browser may have taken the place over in the meantime, and then we have its proof.
      if (error instanceof LineError && error.code === 'TICKET_MOVED') return await ask()
      throw error
    }
  }

  /** When to ask next, and whether to listen. Called whenever something changes that matters for it. */
  #plan(retryInMs: number | null = null): void {
    if (!this.#isLeading) return
    const { environment, memory, options } = this.#parts
    const known = memory()
    const { random, now } = environment
    this.#listener.want(options.push !== 'off' && wantsPush(known))
    const circumstances = { isHidden: this.#isHidden(), isListening: this.#listener.isListening, random: random() }
    const wanted = retryInMs ?? nextPollMs(known, circumstances)
    const inMs = beforeDeadline(wanted, endsAt(known), now(), random())
    this.#askIn(this.#askedAt + inMs - now())
  }

  #askIn(ms: number): void {
    if (!this.#isLeading) return
    const { clearTimer, setTimer, now } = this.#parts.environment
    clearTimer(this.#timer)
    this.#dueAt = now() + Math.max(0, ms)
    this.#timer = setTimer(() => this.#due(), Math.max(0, ms))
  }

  #due(): void {
    if (this.#parts.environment.now() - this.#dueAt > SLEPT_MS) this.#listener.renew()
    void this.poll()
  }

  async #readNow(): Promise<void> {
    const { api, environment, memory, tell } = this.#parts
    const { clearTimer, setTimer, random } = environment
    clearTimer(this.#nowTimer)
    // Nobody looks, or the socket tells it: then it is not read.
    if (memory().room === null || !(this.#isHidden() || this.#listener.isListening)) {
      try {
        const { body, skewMs } = await api.send<RoomNow>('GET', `${api.room}/queue/now`)
        tell({ kind: 'room', room: body, skewMs })
      } catch {
        // What everybody may know is not worth a complaint; the poll says how well the server is reached.
      }
    }
    if (this.#isLeading) this.#nowTimer = setTimer(() => void this.#readNow(), nextNowMs(memory(), random()))
  }

  #heard(message: PushMessage): void {
    this.#parts.tell({ kind: 'push', message })
    const needsPass = message.type === 'ACTIVE' && message.status === 'active'
    if (needsPass || ASK_AFTER.test(message.type)) this.askWithin(OWN_NEWS_MS)
  }

  #pageChanged(): void {
    const { environment, memory, tell } = this.#parts
    const isOffline = environment.page?.isOnline() === false
    const wasOffline = memory().reach === 'offline'
    if (isOffline !== wasOffline) tell({ kind: 'reach', event: isOffline ? 'wentOffline' : 'cameOnline' })
    if (wasOffline && !isOffline) {
      this.#failures = 0
      this.#listener.renew()
      this.askWithin(ONLINE_AGAIN_MS)
    } else this.#plan()
    if (!this.#isHidden()) void this.#readNow()
  }

  #subscription() {
    const { api, memory, options } = this.#parts
    const { standing } = memory()
    const prefix = options.roomId === undefined ? `event:${options.eventId}` : `room:${options.roomId}`
    const ticketToken = api.ticketToken()
    return {
      channels: [`${prefix}:public`, `${prefix}:private:${standing.ticketId}`],
      since: { epoch: standing.epoch, seq: standing.seq },
      ...(ticketToken && { ticketToken }),
      ...(options.presence && { presence: true }),
      // Nobody chooses seats while waiting.
      ...(standing.status === 'waiting' && { without: ['SEATS'] }),
    }
  }

  #isHidden(): boolean {
    return this.#parts.environment.page?.isHidden() === true
  }
}
