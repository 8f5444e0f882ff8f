import { RecentMap } from '../access/recent-map.ts'

/** Far more than floors hold; what is forgotten is only asked for again. About 100 bytes each. */
const NEWCOMERS_MAX = 200_000

interface Newcomer {
  readonly actorId: string
  readonly eventId: string
  readonly roomId: string
  readonly number: number
  /** When the pass ends unless it is extended, in milliseconds. */
  readonly deadline: number
}

/**
 * Visitors on the floor who never reserved anything, as far as this server has verified. They may be turned away
 * without asking anybody: no earlier call of theirs can have had an effect that would have to be answered again (B25),
 * and no seat that looks taken can be their own. Everybody else is judged by the stores.
 *
 * Being wrong about the floor for a moment only changes which refusal somebody gets.
 */
export class Newcomers {
  readonly #byPass = new RecentMap<string, Newcomer>(NEWCOMERS_MAX)
  readonly #passes = new RecentMap<string, string>(NEWCOMERS_MAX)
  /** When each was last forgotten while stores were asked, so that an answer on its way does not bring them back. */
  readonly #forgotten = new RecentMap<string, number>(NEWCOMERS_MAX)
  #allForgotten = 0
  #turn = 0
  #inquiries = 0

  get size(): number {
    return this.#byPass.size
  }

  has(pass: string, actorId: string, eventId: string, nowMs: number): boolean {
    // Until the first somebody loses there is nobody to look for.
    if (this.#byPass.size === 0) return false
    const known = this.#byPass.get(pass)
    return known !== undefined && known.actorId === actorId && known.eventId === eventId && nowMs < known.deadline
  }

  /** To be made before the stores are asked about somebody, and disposed of when that is over. */
  inquire(): Inquiry {
    this.#inquiries += 1
    return {
      since: this.#turn,
      [Symbol.dispose]: () => {
        this.#inquiries -= 1
        if (this.#inquiries === 0) this.#forgotten.clear()
      },
    }
  }

  /** The stores said that the pass counts and that its ticket never reserved anything. */
  learn(pass: string, newcomer: Newcomer, { since }: Inquiry): void {
    const name = nameOf(newcomer.roomId, newcomer.number)
    if (Math.max(this.#forgotten.get(name) ?? 0, this.#allForgotten) > since) return
    this.#byPass.set(pass, newcomer)
    this.#passes.set(name, pass)
  }

  /** The ticket reserved, left, or got another pass. */
  forget(roomId: string, number: number): void {
    this.#turn += 1
    if (this.#inquiries === 0 && this.#passes.size === 0) return
    const name = nameOf(roomId, number)
    if (this.#inquiries > 0) this.#forgotten.set(name, this.#turn)
    const pass = this.#passes.get(name)
    if (pass === undefined) return
    this.#byPass.delete(pass)
    this.#passes.delete(name)
  }

  /** Somebody may have reserved unnoticed. Rare enough to forget everybody. */
  forgetAll(): void {
    this.#turn += 1
    this.#allForgotten = this.#turn
    this.#byPass.clear()
    this.#passes.clear()
  }
}

/** A question to the stores that is under way. */
interface Inquiry extends Disposable {
  readonly since: number
}

const nameOf = (roomId: string, number: number): string => `${roomId}:${number}`
