import type { Back, LogEntry, PrivateNews, PushPosition } from '@seatwise/domain'
import type { TicketView } from '@seatwise/line'
import { positionOf, type TicketClaims } from '../../rooms/index.ts'
import type { Step } from '../news/move-collector.ts'
import type { Connection, Subscription } from '../transport/connection.ts'
import { Outgoing } from '../transport/outgoing.ts'

/** Messages that may arrive between reading a ticket's position and sending it. */
const EARLY_MAX = 32

/** The state of one ticket with listeners on this server, and its listeners. */
export class PrivateChannel {
  readonly subscriptions = new Set<PrivateSubscription>()
  /** The newest claims that any listener presented. */
  claims: TicketClaims
  /** In line and not away, as far as the log was followed. */
  isWaiting = false
  #rank: number | null = null
  #rankSeq = 0
  #toldRank: number | null = null
  /** The last entry about the ticket itself. */
  #changedSeq = 0

  constructor(claims: TicketClaims) {
    this.claims = claims
  }

  /** Exact; null when it is not known here. */
  get rank(): number | null {
    return this.#rank
  }

  /** The log entry as of which the rank is known. */
  get rankSeq(): number {
    return this.#rankSeq
  }

  /** The store returned the ticket's position. */
  learn({ state, away, rank, seq }: TicketView, isExact: boolean): void {
    // The log may have overtaken the answer on its way here.
    if (seq < this.#changedSeq) return
    this.isWaiting = state === 'waiting' && !away
    this.#rank = isExact ? rank : null
    this.#rankSeq = seq
    this.#toldRank = null
  }

  /** The known rank is not certain any more. */
  doubt(): void {
    this.#rank = null
    this.#changedSeq = 0
  }

  /** The log has an entry about the ticket itself. */
  seen({ seq, change }: LogEntry): void {
    this.#changedSeq = seq
    switch (change.kind) {
      case 'admitted':
      case 'away':
      case 'expired':
      case 'completed':
        this.isWaiting = false
        this.#rank = null
        return
      case 'grouped':
        // Which place it is now, the next look tells.
        this.#rank = null
        return
      case 'back':
        this.isWaiting = true
        this.#rank = rankAfter(change, this.claims.number)
        this.#rankSeq = seq
        this.#toldRank = null
        return
      case 'restored':
        this.isWaiting = true
        this.#rank = change.rank
        this.#rankSeq = seq
        this.#toldRank = null
        return
      default:
        return
    }
  }

  /** The line moved up to entry `seq`. */
  move(steps: readonly Step[], seq: number): void {
    if (this.#rank === null || seq <= this.#rankSeq) return
    let rank = this.#rank
    for (const step of steps) {
      if (step.seq <= this.#rankSeq) continue
      if (step.by > 0) rank += step.rank <= rank ? 1 : 0
      else if (step.rank < rank) rank -= 1
    }
    this.#rank = rank
    this.#rankSeq = seq
  }

  /** Whether there is a near position that was not sent yet. */
  hasPosition(nearRank: number): boolean {
    return this.#rank !== null && this.#rank < nearRank && this.#rank !== this.#toldRank
  }

  takePosition(nearRank: number): PrivateNews | null {
    const rank = this.#rank
    if (rank === null || !this.hasPosition(nearRank)) return null
    this.#toldRank = rank
    return { type: 'POSITION', rank, position: positionOf(rank) }
  }

  tell(position: PushPosition, news: PrivateNews): void {
    const { epoch, seq } = position
    const written = new Map<string, Outgoing>()
    for (const subscription of [...this.subscriptions]) {
      const { channel } = subscription
      const outgoing = written.get(channel) ?? new Outgoing({ ...news, channel, epoch, seq })
      written.set(channel, outgoing)
      subscription.deliver(outgoing)
    }
  }
}

/** The rank of a ticket after it came back together with others, some of them after it to a place before it. */
function rankAfter({ numbers, ranks }: Back, number: number): number | null {
  const at = numbers.indexOf(number)
  const first = ranks[at]
  if (first === undefined) return null
  return ranks.slice(at + 1).reduce((rank, other) => (other <= rank ? rank + 1 : rank), first)
}

/** One connection that listens to one ticket. It buffers messages until the ticket's position was sent. */
export class PrivateSubscription implements Subscription {
  readonly channel: string
  readonly connection: Connection
  readonly claims: TicketClaims
  readonly pingMs: number
  readonly #onAlive: () => void
  readonly #onEnd: (subscription: PrivateSubscription) => void
  #early: Outgoing[] | null = []
  /** The first message is true as of this position: earlier entries are no news. */
  #start: PushPosition = { epoch: 0, seq: 0 }

  constructor(options: {
    readonly channel: string
    readonly connection: Connection
    readonly claims: TicketClaims
    readonly pingMs: number
    readonly onAlive: () => void
    readonly onEnd: (subscription: PrivateSubscription) => void
  }) {
    this.channel = options.channel
    this.connection = options.connection
    this.claims = options.claims
    this.pingMs = options.pingMs
    this.#onAlive = options.onAlive
    this.#onEnd = options.onEnd
  }

  deliver(outgoing: Outgoing): void {
    if (this.#early === null) {
      const { position } = outgoing
      if (position?.epoch !== this.#start.epoch || position.seq > this.#start.seq) this.connection.send(outgoing)
    } else if (this.#early.length < EARLY_MAX) this.#early.push(outgoing)
  }

  /** From here on every message is sent at once; buffered ones first. */
  begin(start: PushPosition, news: PrivateNews | null): void {
    const early = this.#early ?? []
    this.#early = null
    this.#start = start
    const { channel } = this
    if (news !== null) this.connection.tell({ ...news, channel, epoch: start.epoch, seq: start.seq })
    for (const outgoing of early) this.deliver(outgoing)
  }

  alive(): void {
    this.#onAlive()
  }

  end(): void {
    this.#onEnd(this)
  }
}
