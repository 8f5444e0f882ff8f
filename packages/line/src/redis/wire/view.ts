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
    ...groupIn(words),
  }
}

function groupIn(words: Words): Pick<TicketView, 'group'> {
  const word = words.textOrNull()
  if (word === null) return {}
  const [number, people] = word.split(',').map(Number)
  return number === undefined || people === undefined ? {} : { group: { number, people } }
}
