import { setImmediate as nextTurn } from 'node:timers/promises'
import { failAlone, type Outcome, SeatwiseError } from '@seatwise/domain'
import { Pace, Patience } from './pace.ts'
import { recordedSpan, traceBatch } from './trace-batch.ts'

export interface BatcherOptions<Item, Reply> {
  /** What a call is called in traces; without it traces say nothing about it. */
  name?: string
  /** One call for many items; answers each, in the same order. */
  run: (items: readonly Item[]) => Promise<readonly Reply[]>
  /** Most items in one call: bounds how long it blocks the store. */
  maxItems: number
  /** Most items that may wait; more are refused at once, so that memory and waiting stay bounded. */
  maxQueued: number
  /**
   * The longest an item should wait; shorter during an overload (`Patience`). How many items that are depends on the
   * measured pace of the store (pace.ts). A few may always wait, so that the pace continues to be measured.
   */
  patienceMs?: number
  /** The assumed pace before the first call; without it no item is refused until that call has returned. */
  msPerItem?: number
  /** Most calls under way. Two keep the store busy while a reply travels. */
  maxInFlight?: number
  /** Milliseconds that only grow; measures how fast calls are. */
  now?: () => number
  /**
   * Whether one item may have made a call fail. Then the call is repeated in halves until that item fails alone, so that
   * the others are answered (I33). Only for calls that may be repeated. Without it, an error fails all items of the call.
   */
  isAboutItems?: (error: unknown) => boolean
}

export interface Batcher<Item, Reply> {
  /** Answers one item. Rejects with OVERLOADED when too many wait, and with the call's error when that failed. */
  send(item: Item): Promise<Reply>
  /** Throws what `send` would reject with behind so many items. Called before doing costly work for a request. */
  refuseBehind(ahead: number): void
  readonly queued: number
  readonly inFlight: number
  /** The measured pace of the store; null while it is unknown. */
  readonly msPerItem: number | null
}

/** The smallest call, as a share of the largest. Smaller calls would make the store look slower and slower. */
const LEAST_SHARE = 1 / 16

/**
 * Sends requests that arrive together as one call. An idle batcher sends at once, and items that arrive while calls are
 * under way go into the next one. So a single request never waits for a timer, and under load the batches grow as large as
 * they need to be. A call is repeated only in halves, and only when an item may have made it fail. Rules L35, L50, L51, L90.
 */
export function createBatcher<Item, Reply>(options: BatcherOptions<Item, Reply>): Batcher<Item, Reply> {
  const { run, maxItems, maxQueued, patienceMs = Number.POSITIVE_INFINITY, maxInFlight = 2 } = options
  const { now = () => performance.now(), isAboutItems = () => false } = options
  const patience = new Patience(patienceMs)
  const leastItems = Math.ceil(maxItems * LEAST_SHARE)
  const pace = new Pace(options.msPerItem, leastItems)
  let queue: Waiting<Item, Reply>[] = []
  let inFlight = 0

  function sendNext(): void {
    refuseStale()
    while (inFlight < maxInFlight && queue.length > 0) {
      const startMs = now()
      const items = itemsAtOnce(startMs)
      const batch = queue.slice(0, items)
      queue = queue.slice(items)
      inFlight++
      void call({ run: runTraced(batch), isAboutItems }, batch).then(async (answer) => {
        inFlight--
        pace.note(batch.length, startMs, now())
        sendNext()
        await answerInTurns(batch, answer, now)
      })
    }
  }

  /** Repeated halves of a batch are under its span, too. */
  function runTraced(batch: readonly Waiting<Item, Reply>[]): typeof run {
    const { name } = options
    if (name === undefined || batch.every(({ span }) => span === undefined)) return run
    const spans = batch.map(({ span }) => span)
    return (items) => traceBatch(name, spans, () => run(items))
  }

  function refusalBehind(ahead: number): SeatwiseError | null {
    const waitMs = pace.waitMs(ahead)
    const nowMs = now()
    const isTooSlow = ahead >= leastItems && waitMs > patience.leftMs(nowMs)
    if (!isTooSlow && ahead < maxQueued) return null
    return refuse(waitMs, nowMs)
  }

  function refuse(waitMs: number, nowMs: number): SeatwiseError {
    patience.refused(nowMs)
    return new SeatwiseError('OVERLOADED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
  }

  /** Refuses items that have waited for too long because the store got slower, instead of serving them too late. */
  function refuseStale(): void {
    const nowMs = now()
    const stale = queue.findIndex(({ sinceMs }) => nowMs - sinceMs <= patienceMs)
    for (const { reject } of queue.splice(0, stale < 0 ? queue.length : stale)) {
      reject(refuse(pace.waitMs(queue.length), nowMs))
    }
  }

  /** As many items as are answered within the patience: every item waits for its whole call. */
  function itemsAtOnce(nowMs: number): number {
    const inTime = patience.leftMs(nowMs) / (pace.msPerItem ?? 0)
    return Math.max(leastItems, Math.min(maxItems, Math.floor(inTime)))
  }

  return {
    // Not async: every request of a rush passes here, and would pay for a second promise.
    send(item) {
      const refusal = refusalBehind(queue.length)
      if (refusal !== null) return Promise.reject(refusal)
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      queue.push({ item, resolve, reject, sinceMs: now(), span: recordedSpan() })
      // Requests of one turn of the event loop travel together, even when the batcher is idle. A microtask would be too
      // early: each connection's request is a task of its own, and the next one may already be there.
      if (queue.length === 1) setImmediate(sendNext)
      return promise
    },
    refuseBehind(ahead) {
      const refusal = refusalBehind(ahead)
      if (refusal !== null) throw refusal
    },
    get queued() {
      return queue.length
    },
    get inFlight() {
      return inFlight
    },
    get msPerItem() {
      return pace.msPerItem
    },
  }
}

interface Waiting<Item, Reply> {
  readonly item: Item
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
  readonly sinceMs: number
  readonly span: ReturnType<typeof recordedSpan>
}

type Answer<Item, Reply> = (waiting: Waiting<Item, Reply>, index: number) => void

/** Runs one call and returns how to answer its items. Never rejects: errors go to the items. */
async function call<Item, Reply>(
  options: Required<Pick<BatcherOptions<Item, Reply>, 'run' | 'isAboutItems'>>,
  batch: readonly Waiting<Item, Reply>[],
): Promise<Answer<Item, Reply>> {
  const items = batch.map(({ item }) => item)
  try {
    const outcomes = await failAlone(items, options)
    // There are as many outcomes as items.
    return (waiting, index) => answerOne(waiting, outcomes[index] as Outcome<Reply>)
  } catch (error) {
    return ({ reject }) => reject(error)
  }
}

function answerOne<Item, Reply>({ resolve, reject }: Waiting<Item, Reply>, outcome: Outcome<Reply>): void {
  if ('error' in outcome) reject(outcome.error)
  else resolve(outcome.reply)
}

/** An answered request continues at once, so answering hundreds in one turn would delay the other calls. */
const ANSWERED_IN_A_TURN = 32
/** While a turn takes longer, the server is behind: it finishes what it began before it reads many more requests. */
const LONG_TURN_MS = 5

async function answerInTurns<Item, Reply>(
  batch: readonly Waiting<Item, Reply>[],
  answer: Answer<Item, Reply>,
  now: () => number,
): Promise<void> {
  let left = ANSWERED_IN_A_TURN
  let portion = ANSWERED_IN_A_TURN
  for (const [index, waiting] of batch.entries()) {
    if (left === 0) {
      const beganMs = now()
      await nextTurn()
      if (now() - beganMs > LONG_TURN_MS) portion *= 2
      left = portion
    }
    left -= 1
    answer(waiting, index)
  }
}
