import type { LogEntry, Move, QueueMove } from '@seatwise/domain'

/** One ticket that joined or left the line. A rank behind the whole line is infinite: it moves no other ticket. */
export interface Step {
  readonly seq: number
  readonly rank: number
  readonly by: 1 | -1
}

/** Movement between two entries of the log. */
export interface Movement {
  readonly steps: readonly Step[]
  readonly seq: number
  /** Null when no rank has changed. */
  readonly news: QueueMove | null
}

/** More moves than this are sent as "look at the rank map". */
const MOVES_MAX = 100
/** About a second of the fastest admission there is; the feed takes the steps out before that. */
export const STEPS_MAX = 20_000

/** Collects movement of the line, so that a few messages a second are enough, however many tickets move. */
export class MoveCollector {
  #steps: Step[] = []
  #from: number
  #waiting: number
  #waitingAtEnd: number
  #isBroken = false

  /** As of entry `seq`, this many tickets are waiting. */
  constructor(seq: number, waiting: number) {
    this.#from = seq
    this.#waiting = waiting
    this.#waitingAtEnd = waiting
  }

  get size(): number {
    return this.#steps.length
  }

  /** Entries were missed: steps collected until the next `recount` cannot be sent as moves. */
  lose(): void {
    this.#isBroken = true
  }

  /** The store counted: as of the last `take`, this many tickets are waiting. */
  recount(waiting: number): void {
    this.#waiting = waiting
    this.#waitingAtEnd = waiting + this.#steps.reduce((sum, { by }) => sum + by, 0)
  }

  add({ seq, change }: LogEntry): void {
    switch (change.kind) {
      case 'joined':
      case 'restored':
        this.#arrive(seq, change.rank)
        return
      case 'back':
        for (const rank of change.ranks) this.#arrive(seq, rank)
        return
      case 'admitted':
        // Only the head of the line is admitted.
        this.#step(seq, 0, -1)
        return
      case 'away':
      case 'expired':
        for (const rank of change.ranks ?? []) this.#step(seq, rank, -1)
        return
      case 'grouped':
        if (change.fromRank !== null) this.#step(seq, change.fromRank, -1)
        return
      case 'classed':
        this.#step(seq, change.fromRank, -1)
        this.#arrive(seq, change.rank)
        return
      case 'opened':
      case 'attended':
      case 'codes':
      case 'prices':
      case 'draw':
      case 'sealed':
      case 'revealed':
      case 'entered':
      case 'completed':
      case 'extended':
      case 'moved':
      case 'adopted':
      case 'reserved':
      case 'corrected':
      case 'changed':
        return
    }
  }

  /** Takes out the movement up to and including entry `seq`. */
  take(seq: number): Movement {
    const end = this.#steps.findIndex((step) => step.seq > seq)
    const steps = end === -1 ? this.#steps : this.#steps.slice(0, end)
    this.#steps = end === -1 ? [] : this.#steps.slice(end)
    const from = this.#from
    this.#from = seq
    this.#waiting += steps.reduce((sum, { by }) => sum + by, 0)
    const departed = steps.filter(({ by }) => by < 0).map(({ rank }) => rank)
    const movesPeople = this.#isBroken || steps.some(({ rank }) => Number.isFinite(rank))
    const moves = this.#isBroken ? null : mergeSteps(steps)
    this.#isBroken = false
    if (!movesPeople) return { steps, seq, news: null }
    const departedRank = departed.length === 0 ? null : departed.reduce((least, rank) => Math.min(least, rank))
    return { steps, seq, news: { type: 'QUEUE_MOVE', from, departedRank, waiting: this.#waiting, moves } }
  }

  #arrive(seq: number, rank: number): void {
    this.#step(seq, rank >= this.#waitingAtEnd ? Number.POSITIVE_INFINITY : rank, 1)
  }

  #step(seq: number, rank: number, by: 1 | -1): void {
    this.#steps.push({ seq, rank, by })
    this.#waitingAtEnd += by
  }
}

/** Neighbouring steps at one rank become one move; null when there are too many. */
function mergeSteps(steps: readonly Step[]): Move[] | null {
  const moves: [number, number][] = []
  for (const { rank, by } of steps) {
    if (!Number.isFinite(rank)) continue
    const last = moves.at(-1)
    if (last !== undefined && last[0] === rank && Math.sign(last[1]) === by) last[1] += by
    else if (moves.length === MOVES_MAX) return null
    else moves.push([rank, by])
  }
  return moves
}
