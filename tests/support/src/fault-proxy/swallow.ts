import { seededRandom } from '../seed.ts'
import type { Frame } from './frames.ts'
import type { Verdict } from './lane.ts'

export interface SwallowOrder {
  /** Which of the matching requests from now on, counted from 1. */
  request?: number
  /** Counts only requests with a text that matches, such as /^INCR/ or /insert into seats/. */
  matching?: RegExp
}

interface OpenOrder {
  left: number
  matching: RegExp | undefined
  done: (text: string) => void
}

/** Decides which replies are lost. Requests are counted over all connections, replies belong to them in order. */
export class ReplySwallower {
  requests = 0
  swallowed = 0
  readonly #random: () => number
  #orders: readonly OpenOrder[] = []
  #chance = 0
  #chanceMatching: RegExp | undefined

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  order({ request = 1, matching }: SwallowOrder): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#orders = [...this.#orders, { left: request, matching, done: resolve }]
    return promise
  }

  setChance(chance: number, matching?: RegExp): void {
    this.#chance = chance
    this.#chanceMatching = matching
  }

  /** Follows one connection. */
  watch(): Record<'request' | 'reply', (frame: Frame) => Verdict> {
    /** For each request without a reply yet: what to do once its reply was swallowed, or null to let it through. */
    const awaited: ((() => void) | null)[] = []
    return {
      request: (frame) => {
        if (frame.ends) awaited.push(this.#judge(frame.text))
        return 'forward'
      },
      reply: (frame) => {
        const swallow = awaited[0] ?? null
        if (frame.ends) awaited.shift()
        if (swallow === null) return 'forward'
        if (!frame.ends) return 'drop'
        this.swallowed += 1
        swallow()
        return 'reset'
      },
    }
  }

  /** What to do once the reply of this request was swallowed, or null when it goes through. */
  #judge(text: string): (() => void) | null {
    this.requests += 1
    const matching = this.#orders.filter((order) => order.matching === undefined || order.matching.test(text))
    for (const order of matching) order.left -= 1
    const due = matching.filter((order) => order.left === 0)
    this.#orders = this.#orders.filter((order) => order.left > 0)
    if (due.length > 0 || this.#isUnlucky(text)) {
      return () => {
        for (const order of due) order.done(text)
      }
    }
    return null
  }

  #isUnlucky(text: string): boolean {
    if (this.#chance === 0 || this.#chanceMatching?.test(text) === false) return false
    return this.#random() < this.#chance
  }
}
