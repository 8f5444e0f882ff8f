import { RecentMap } from '../../kit/index.ts'

/** Far more than floors hold; an evicted pass is only asked for again. About 100 bytes each. */
const PASSES_MAX = 200_000

interface KnownPass {
  readonly actorId: string
  readonly eventId: string
  readonly roomId: string
  readonly number: number
  /** When the pass ends unless it is extended, in milliseconds. */
  readonly deadline: number
}

/**
 * Passes that the line has confirmed to this server, of visitors who lost. When they lose again, the line need not be
 * asked whether it is their turn: being wrong about the floor for a moment only changes which refusal a visitor gets.
 * No entry says what a visitor has reserved: only the ledger knows that (I32).
 */
export class KnownPasses {
  readonly #byPass = new RecentMap<string, KnownPass>(PASSES_MAX)
  readonly #passes = new RecentMap<string, string>(PASSES_MAX)

  get size(): number {
    return this.#byPass.size
  }

  find(pass: string, actorId: string, eventId: string, nowMs: number): KnownPass | null {
    // Empty until the first refusal.
    if (this.#byPass.size === 0) return null
    const known = this.#byPass.get(pass)
    const isTheirs = known !== undefined && known.actorId === actorId && known.eventId === eventId
    return isTheirs && nowMs < known.deadline ? known : null
  }

  /** The line confirmed the pass. */
  learn(pass: string, known: KnownPass): void {
    this.#byPass.set(pass, known)
    this.#passes.set(nameOf(known.roomId, known.number), pass)
  }

  /** The ticket left, reserved, or got another pass. */
  forget(roomId: string, number: number): void {
    if (this.#passes.size === 0) return
    const name = nameOf(roomId, number)
    const pass = this.#passes.get(name)
    if (pass === undefined) return
    this.#byPass.delete(pass)
    this.#passes.delete(name)
  }
}

const nameOf = (roomId: string, number: number): string => `${roomId}:${number}`
