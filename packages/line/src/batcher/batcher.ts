import { setImmediate as nextTurn } from 'node:timers/promises'
import { failAlone, type Outcome, SeatwiseError } from '@seatwise/domain'
import { Pace } from './pace.ts'
import { Patience } from './patience.ts'

export interface BatcherOptions<Item, Reply> {
  /** One call for many items; answers each, in the same order. */
  run: (items: readonly Item[]) => Promise<readonly Reply[]>
  /** Most items in one call: bounds how long it blocks the store. */
  maxItems: number
  /** Most items that may wait; more are refused at once, so that memory and waiting stay bounded. */
  maxQueued: number
  /**
   * The longest that anybody should wait, less while more come than can be served. How many that are depends on how fast
   * the store is at the moment, which is measured; a few may always wait, so that it goes on being measured.
   */
  patienceMs?: number
  /** How fast the store is believed to be before the first call; otherwise nobody is refused until that has come back. */
  msPerItem?: number
  /** Most calls under way. Two keep the store busy while a reply travels. */
  maxInFlight?: number
  /** Milliseconds that only grow; measures how fast calls are. */
  now?: () => number
  /**
   * Whether one item may have made a call fail. Then the call is repeated in halves until that item fails alone, so that
   * its neighbours are answered (I33). Only for calls that may be repeated. Without it, an error is everyone's.
   */
  isAboutItems?: (error: unknown) => boolean
}

export interface Batcher<Item, Reply> {
  /** Answers one item. Rejects with OVERLOADED when too many wait, and with the call's error when that failed. */
  send(item: Item): Promise<Reply>
  /** Throws what `send` would reject with behind so many: to be asked before anything costly is done for somebody. */
  refuseBehind(ahead: number): void
  readonly queued: number
  readonly inFlight: number
  /** How fast the store is at the moment; null while nobody knows. */
  readonly msPerItem: number | null
}

/** Of a whole call. Fewer would be no measure of how fast the store is, and would make it look slower and slower. */
const LEAST_SHARE = 1 / 16

/**
 * Sends requests that arrive together as one call. Batches form by themselves: an idle batcher sends at once, and
 * whatever arrives while its calls are under way goes into the next one. So a lone request never waits for a timer, and
 * under load the batches grow as large as they need to be. It repeats a call only in halves, and only when an item may
 * have made it fail.
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
      void call({ run, isAboutItems }, batch).then(async (tell) => {
        inFlight--
        pace.note(batch.length, startMs, now())
        sendNext()
        await tellInTurns(batch, tell)
      })
    }
  }

  function refusalBehind(ahead: number): SeatwiseError | null {
    const waitMs = pace.waitMs(ahead)
    const nowMs = now()
    const isTooSlow = ahead >= leastItems && waitMs > patience.leftMs(nowMs)
    if (!isTooSlow && ahead < maxQueued) return null
    patience.refused(nowMs)
    return overloaded(waitMs)
  }

  /** Whoever has waited for too long all the same, because the store got slower, is told instead of being served too late. */
  function refuseStale(): void {
    const nowMs = now()
    const stale = queue.findIndex(({ sinceMs }) => nowMs - sinceMs <= patienceMs)
    for (const { reject } of queue.splice(0, stale < 0 ? queue.length : stale)) {
      patience.refused(nowMs)
      reject(overloaded(pace.waitMs(queue.length)))
    }
  }

  /** As many as are answered before anybody loses patience: all of a call have to wait for each of it. */
  function itemsAtOnce(nowMs: number): number {
    const inTime = patience.leftMs(nowMs) / (pace.msPerItem ?? 0)
    return Math.max(leastItems, Math.min(maxItems, Math.floor(inTime)))
  }

  return {
    // Not async: everybody of a crowd passes here, and a promise around a promise is work for nothing.
    send(item) {
      const refusal = refusalBehind(queue.length)
      if (refusal !== null) return Promise.reject(refusal)
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      queue.push({ item, resolve, reject, sinceMs: now() })
      // Requests that arrive in the same turn of the event loop travel together, even when the batcher is idle. Not at
      // the end of this task: each connection's request is a task of its own, and the next one may be there already.
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
}

function overloaded(waitMs: number): SeatwiseError {
  return new SeatwiseError('OVERLOADED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
}

type Tell<Item, Reply> = (waiting: Waiting<Item, Reply>, index: number) => void

/** How to tell those who wait. Never rejects: the outcome is theirs. */
async function call<Item, Reply>(
  options: Required<Pick<BatcherOptions<Item, Reply>, 'run' | 'isAboutItems'>>,
  batch: readonly Waiting<Item, Reply>[],
): Promise<Tell<Item, Reply>> {
  const items = batch.map(({ item }) => item)
  try {
    const outcomes = await failAlone(items, options)
    // As many outcomes as items, so that there is one.
    return (waiting, index) => tellOne(waiting, outcomes[index] as Outcome<Reply>)
  } catch (error) {
    return ({ reject }) => reject(error)
  }
}

function tellOne<Item, Reply>({ resolve, reject }: Waiting<Item, Reply>, outcome: Outcome<Reply>): void {
  if ('error' in outcome) reject(outcome.error)
  else resolve(outcome.reply)
}

/** Whoever is told goes on at once, and hundreds of them would keep the other calls waiting for as long. */
const TOLD_IN_A_TURN = 32

async function tellInTurns<Item, Reply>(
  batch: readonly Waiting<Item, Reply>[],
  tell: Tell<Item, Reply>,
): Promise<void> {
  for (const [index, waiting] of batch.entries()) {
    if (index > 0 && index % TOLD_IN_A_TURN === 0) await nextTurn()
    tell(waiting, index)
  }
}
