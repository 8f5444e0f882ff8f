import { endsAt, type Memory, type News } from '../device/memory.ts'
import { createTimer } from '../device/timer.ts'
import { hasCode, isPassing, LineError } from '../errors.ts'
import type { Position } from '../place/position.ts'
import type { Parts } from '../place/prepare.ts'
import type { PushMessage, RoomNow } from '../types.ts'
import type { Subscription } from './connection.ts'
import { createListener, type Listener } from './listener.ts'
import { backOffMs, beforeDeadline, nextNowMs, nextPollMs } from './schedule.ts'

/** Timers that are so late tell that the device slept. */
const SLEPT_MS = 10_000
/** After a private message the client may poll at once, though not all clients in the same millisecond. */
const OWN_NEWS_MS = 300
const ONLINE_AGAIN_MS = 1_000
/** Clients fetch their receipts spread over this time. */
const RECEIPT_MS = 60_000

/** Types and codes of messages about oneself after which only an answer has all of it. */
const ASK_AFTER = /^(RESERVATION|PAYMENT)_| TICKET_/

/**
 * The tab that polls. It polls as seldom as it may, sooner after a private message, and never because of something that
 * all clients are told: then all would poll together.
 */
export class Watch {
  readonly #parts: Parts
  readonly #memory: () => Memory
  readonly #tell: (news: News) => void
  readonly #listener: Listener
  readonly #timer
  readonly #nowTimer
  readonly #logTimer
  #isLeading = false
  #askedAt = 0
  #failures = 0
  #acts = 0
  #asking: Promise<void> | null = null
  #stopWatching = () => {}

  constructor(parts: Parts, memory: () => Memory, tell: (news: News) => void) {
    this.#parts = parts
    this.#memory = memory
    this.#tell = tell
    this.#timer = createTimer(parts)
    this.#nowTimer = createTimer(parts)
    this.#logTimer = createTimer(parts)
    const { send, room } = parts
    const { listen, presence } = parts.options
    this.#listener = createListener(parts, {
      url: `${parts.origin.replace('http', 'ws')}/realtime`,
      subscription: () => this.#subscription(),
      hear: (message) => this.#heard(message),
      changed: () => this.#plan(),
      listen:
        listen &&
        ((told) =>
          listen({
            ...told,
            ask: (path) => send('GET', room + path),
            missed: () => this.#repair(),
            presence: presence === true,
          })),
    })
  }

  begin(): void {
    const { page, now, random, options } = this.#parts
    this.#isLeading = true
    this.#askedAt = now()
    this.#stopWatching = page?.onChange(() => this.#pageChanged()) ?? this.#stopWatching
    this.#pageChanged()
    this.#checkLogIn(options.receipts === 'off' ? null : RECEIPT_MS * random())
  }

  end(): void {
    this.#isLeading = false
    this.#stopWatching()
    this.#timer(null)
    this.#nowTimer(null)
    this.#logTimer(null)
    this.#listener.want(false)
  }

  /** Something was done meanwhile: a poll that was asked before knows nothing of it. */
  acted(): void {
    this.#acts++
    this.#plan()
  }

  /** Polls now. A call while an answer is under way gets that answer. */
  poll(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  /** Asks soon, each visitor at another moment. */
  askWithin(ms: number): void {
    this.#askIn(this.#parts.random() * ms)
  }

  /** The listener, anew: what the visitor may hear or show has changed. */
  listenAnew(): void {
    this.#listener.renew()
  }

  /** Push messages may be missing: the next poll comes as soon as the server allows it, listening or not. */
  #repair(): void {
    const { now, random } = this.#parts
    this.#askIn(this.#askedAt + this.#memory().position.pollAfterMs * (1 + random() / 5) - now())
  }

  async #ask(): Promise<void> {
    const { now, random } = this.#parts
    const acts = this.#acts
    this.#askedAt = now()
    let retryInMs: number | null = null
    try {
      const position = await this.#status()
      this.#failures = 0
      this.#tell({ kind: 'reach', event: 'answered' })
      if (acts === this.#acts) this.#tell({ kind: 'position', position, skewMs: this.#parts.skewMs() })
    } catch (error) {
      if (isPassing(error)) {
        this.#tell({ kind: 'reach', event: 'failed' })
        retryInMs = backOffMs(this.#failures++, error.retryAfterMs, random())
      } else if (error instanceof LineError) this.#tell({ kind: 'refused', code: error.code })
      else throw error
    }
    this.#plan(retryInMs)
  }

  async #status(): Promise<Position> {
    const { send, room } = this.#parts
    const ask = () => send<Position>('GET', `${room}/queue/status`)
    try {
      return await ask()
    } catch (error) {
      // Another tab of this browser may have taken the place over in the meantime, and then we have its proof.
      if (hasCode(error, 'TICKET_MOVED')) return await ask()
      throw error
    }
  }

  /** When to ask next, and whether to listen. Called whenever something changes that matters for it. */
  #plan(retryInMs: number | null = null): void {
    if (!this.#isLeading) return
    const { random, now, options } = this.#parts
    const memory = this.#memory()
    this.#listener.want(options.push !== 'off' && memory.position.push === true)
    const wanted = retryInMs ?? nextPollMs(memory, this.#isHidden(), this.#listener.isListening(), random())
    this.#askIn(this.#askedAt + beforeDeadline(wanted, endsAt(memory) - now(), random()) - now())
  }

  #askIn(ms: number): void {
    if (!this.#isLeading) return
    const { now } = this.#parts
    const dueAt = now() + ms
    this.#timer(Math.max(0, ms), () => {
      if (now() - dueAt > SLEPT_MS) this.#listener.renew()
      void this.poll()
    })
  }

  async #readNow(): Promise<void> {
    const { send, room, random } = this.#parts
    // In a hidden tab, or with a socket, the document is not read again; once, to learn how often the room needs heartbeats.
    if (!this.#memory().room || !(this.#isHidden() || this.#listener.isListening())) {
      try {
        this.#tell({ kind: 'room', room: await send<RoomNow>('GET', `${room}/queue/now`) })
      } catch {
        // A failed read of the public document is not reported; the poll says whether the server can be reached.
      }
    }
    if (this.#isLeading) this.#nowTimer(nextNowMs(this.#memory(), random()), () => void this.#readNow())
  }

  /** What checks is loaded when it is first needed. A tab that reaches no server knows nothing of the log, and tries again. */
  #checkLogIn(ms: number | null): void {
    if (!this.#isLeading) return
    this.#logTimer(ms, async () => {
      const checked = import('../log/check-log.ts').then(({ checkLog }) =>
        checkLog(this.#parts, this.#memory(), this.#tell),
      )
      this.#checkLogIn(await checked.catch(() => RECEIPT_MS))
    })
  }

  #heard(message: PushMessage): void {
    this.#tell({ kind: 'push', message })
    // Being active needs a pass, which only an answer has.
    if (message.status === 'active' || ASK_AFTER.test(`${message.type} ${message.code}`)) this.askWithin(OWN_NEWS_MS)
  }

  #pageChanged(): void {
    const isOnline = this.#parts.page?.isOnline() !== false
    const wasOnline = this.#memory().reach !== 'offline'
    if (isOnline !== wasOnline) this.#tell({ kind: 'reach', event: isOnline ? 'cameOnline' : 'wentOffline' })
    if (isOnline && !wasOnline) {
      this.#listener.renew()
      this.askWithin(ONLINE_AGAIN_MS)
    } else this.#plan()
    void this.#readNow()
  }

  #subscription(): Subscription {
    const { kept, options, channel } = this.#parts
    const { status, ticketId, epoch, seq } = this.#memory().position
    return {
      channels: [`${channel}:public`, `${channel}:private:${ticketId}`],
      since: { epoch, seq },
      // What is undefined does not appear in JSON.
      ticketToken: kept.read().ticketToken,
      presence: options.presence,
      seats: options.seats?.(),
      // No visitor chooses seats before their turn.
      without: options.seats || status === 'active' ? [] : ['SEATS'],
    }
  }

  #isHidden(): boolean {
    return this.#parts.page?.isHidden() === true
  }
}
