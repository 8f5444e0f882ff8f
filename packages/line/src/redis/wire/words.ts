import type { EndReason, TicketState } from '@seatwise/domain'
import type { TicketClass } from '../../contract.ts'
import { unexpected } from './reply.ts'

/** Reads the fields of an answer or a log line one after the other, and throws on a value that no script writes. */
export class Words {
  readonly #words: readonly string[]
  #next = 0

  constructor(text: string, separator: string) {
    this.#words = text.split(separator)
  }

  text(): string {
    const word = this.#words[this.#next++]
    if (word === undefined) throw new Error('A reply of Redis has fewer fields than its script returns')
    return word
  }

  number(): number {
    return numberIn(this.text())
  }

  numberOrNull(): number | null {
    const word = this.text()
    return word === '-' ? null : numberIn(word)
  }

  /** Between commas. */
  numbers(): number[] {
    return this.text().split(',').map(numberIn)
  }

  numbersOrNull(): number[] | null {
    const word = this.text()
    return word === '-' ? null : word.split(',').map(numberIn)
  }

  flag(): boolean {
    return this.text() === '1'
  }

  textOrNull(): string | null {
    const word = this.text()
    return word === '' || word === '-' ? null : word
  }

  ticketClass(): TicketClass {
    return memberOf(CLASSES, this.number())
  }

  state(): TicketState | null {
    const word = this.textOrNull()
    return word === null ? null : memberOf(STATES, word)
  }

  reasonOrNull(): EndReason | null {
    const word = this.textOrNull()
    return word === null ? null : memberOf(REASONS, word)
  }

  reason(): EndReason {
    return memberOf(REASONS, this.text())
  }

  oneOf<Word extends string>(words: readonly Word[]): Word {
    return memberOf(words, this.text())
  }
}

const CLASSES = [0, 1, 2, 3] as const satisfies readonly TicketClass[]
const STATES = ['waiting', 'admitted', 'active', 'completed', 'expired'] as const satisfies readonly TicketState[]
const REASONS = [
  'no_show',
  'timeout',
  'cancelled',
  'terminated',
  'sold_out',
  'sale_ended',
] as const satisfies readonly EndReason[]

function numberIn(word: string): number {
  const number = Number(word)
  if (word === '' || !Number.isFinite(number)) throw unexpected(word, 'a number')
  return number
}

export function memberOf<Item>(items: readonly Item[], found: unknown): Item {
  const item = items.find((candidate) => candidate === found)
  if (item === undefined) throw unexpected(found, `one of ${items.join(', ')}`)
  return item
}
