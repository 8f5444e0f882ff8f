import type { TicketView } from '../../contract.ts'
import type { Words } from './words.ts'

/** Reads what `view.lua` wrote. */
export function readView(words: Words): TicketView {
  return {
    number: words.number(),
    state: words.state(),
    reason: words.reasonOrNull(),
    away: words.flag(),
    back: words.flag(),
    place: words.number(),
    rank: words.numberOrNull(),
    class: words.ticketClass(),
    generation: words.number(),
    joinedAt: words.number(),
    deadline: words.numberOrNull(),
    fence: words.numberOrNull(),
    extended: words.flag(),
    waiting: words.number(),
    seq: words.number(),
    now: words.number(),
  }
}
