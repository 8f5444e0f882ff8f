import { drawOrder } from './draw-order.ts'
import { DrawRules } from './draw-rules.ts'
import { type PriceList, readPriceList, risen } from './price-list.ts'
import { fromHex, sha256, toHex } from './sha256.ts'

/** An entry of the public log, read from its text. */
export interface PublicEntry {
  readonly epoch: number
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly [detail: string]: unknown
}

interface WaitingTicket {
  readonly number: number
  readonly place: number
  isAway: boolean
}

/**
 * Follows a log and judges whether its order is fair, by the log alone: entries follow each other, numbers are drawn once and go
 * up, a class above normal names a code that was made for it, and of each class the first who is present goes in.
 */
export class OrderRules {
  readonly #roomId: string
  readonly #say: (index: number, problem: string) => void
  readonly #lines = new Map<number, Lane>()
  readonly #classOf = new Map<number, number>()
  readonly #codes = new Map<string, number>()
  /** Tickets whose visitors stand with another one. */
  readonly #merged = new Set<number>()
  #last: { epoch: number; seq: number; at: number } = { epoch: 0, seq: 0, at: 0 }
  #highest = 0
  #commitment: string | null = null
  /** What the log says of its draw. */
  readonly draw = new DrawRules((problem) => this.#problem(problem))
  #sealed: { readonly root: string; readonly numbers: readonly number[] } | null = null
  #index = 0
  /** Tickets that wait, are away or are inside, and the price list in force. */
  readonly #live = new Set<number>()
  #prices: PriceList | null = null

  constructor(roomId: string, say: (index: number, problem: string) => void) {
    this.#roomId = roomId
    this.#say = say
  }

  /** `root`: of the tree right before the entry. */
  see(entry: PublicEntry, root: () => string): void {
    this.#follow(entry)
    const number = Number(entry.number)
    const numbers = Array.isArray(entry.numbers) ? entry.numbers.map(Number) : []
    this.draw.see(entry, this.#index)
    switch (entry.kind) {
      case 'codes':
        for (const hash of Array.isArray(entry.hashes) ? entry.hashes : [])
          this.#codes.set(String(hash), Number(entry.class))
        break
      case 'joined':
        if (number <= this.#highest) this.#problem(`ticket ${number} was drawn after ${this.#highest}`)
        this.#highest = Math.max(this.#highest, number)
        if (Number(entry.class) > 0) this.#useCode(entry)
        this.#wait(number, entry)
        this.draw.joined(number, Number(entry.class), Number(entry.place))
        break
      case 'classed':
        this.#useCode(entry)
        this.#promote(number, entry)
        this.draw.classed(number)
        break
      case 'grouped':
        this.#group(number, entry)
        break
      case 'restored':
        this.#wait(number, entry)
        this.draw.restored(number, Number(entry.place))
        break
      case 'away':
      case 'back':
        for (const each of numbers) this.#mark(each, entry.kind === 'away')
        break
      case 'expired':
        for (const each of numbers) this.#end(each)
        break
      case 'completed':
        this.#end(number)
        break
      // A rebuild found it past the line, by what the ledger knew.
      case 'corrected':
        this.#leave(number)
        if (entry.state === 'completed') this.#live.delete(number)
        break
      case 'admitted':
        this.draw.admitted(number)
        this.#admit(number)
        break
      case 'prices':
        this.#listPrices(entry)
        break
      case 'draw':
        this.#commitment = String(entry.commitment)
        break
      case 'sealed':
        this.#sealed = { root: root(), numbers: [...this.#lines.values()].flatMap((lane) => lane.numbers) }
        this.draw.sealed(entry, this.#index, this.#sealed.root, this.#sealed.numbers)
        break
      case 'revealed':
        this.#reveal(entry)
        break
    }
    this.#index += 1
  }

  #follow({ epoch, seq, at, kind }: PublicEntry): void {
    const last = this.#last
    const isNext = epoch === last.epoch ? seq === last.seq + 1 : epoch > last.epoch && seq === 1 && kind === 'opened'
    if (!isNext) this.#problem(`${epoch}-${seq} follows ${last.epoch}-${last.seq}`)
    if (epoch === last.epoch && at < last.at) this.#problem('it is older than the entry before it')
    this.#last = { epoch, seq, at }
  }

  #listPrices({ hash, list }: PublicEntry): void {
    if (typeof list !== 'string') return
    const next = readPriceList(String(hash), list)
    if (next === null) {
      this.#problem('the price list is not the one of its hash')
      return
    }
    const rises = this.#prices === null || this.#live.size === 0 ? [] : risen(this.#prices, next)
    if (rises.length > 0) this.#problem(`prices rose while visitors waited or were inside: ${rises.join(', ')}`)
    this.#prices = next
  }

  #wait(number: number, { class: ticketClass, place }: PublicEntry): void {
    this.#live.add(number)
    this.#classOf.set(number, Number(ticketClass))
    this.#lane(number).add({ number, place: Number(place), isAway: false })
  }

  /** A code moves a ticket that waits to the line of its class, never back. */
  #promote(number: number, entry: PublicEntry): void {
    const before = this.#lane(number).take(number)
    if (before === undefined || before.isAway) this.#problem(`ticket ${number} has a class and does not wait`)
    else if (Number(entry.place) > before.place || Number(entry.class) <= (this.#classOf.get(number) ?? 0))
      this.#problem(`ticket ${number} was moved back`)
    this.#wait(number, entry)
  }

  /** Two tickets that wait become one, at the later place. Where no ticket is merged, a visitor left the others. */
  #group(number: number, { merged }: PublicEntry): void {
    if (typeof merged !== 'number') return
    const kept = this.#lane(number).find(number)
    const gone = this.#lane(merged).take(merged)
    this.#live.delete(merged)
    this.#merged.add(merged)
    if (kept === undefined || gone === undefined) this.#problem(`tickets ${merged} and ${number} do not both wait`)
    else if (this.#isAhead(kept, gone)) this.#problem(`ticket ${merged} joined a group that stood before it, ${number}`)
  }

  /** Until a draw is revealed, the class decides first. */
  #isAhead(kept: WaitingTicket, gone: WaitingTicket): boolean {
    const { facts } = this.draw
    const [classKept = 0, classGone = 0] = [kept, gone].map(({ number }) => this.#classOf.get(number))
    if (facts !== null && facts.secret === null && classKept !== classGone) return classKept > classGone
    return kept.place < gone.place
  }

  #useCode({ number, class: ticketClass, code }: PublicEntry): void {
    if (typeof code !== 'string') {
      this.#problem(`ticket ${number} has class ${ticketClass} without a code`)
      return
    }
    if (this.#codes.get(code) !== ticketClass)
      this.#problem(`the code of ticket ${number} was not made, or was used before`)
    this.#codes.delete(code)
  }

  #mark(number: number, isAway: boolean): void {
    if (!this.#lane(number).mark(number, isAway)) this.#problem(`ticket ${number} does not wait`)
  }

  #leave(number: number): void {
    this.#lane(number).remove(number)
  }

  #end(number: number): void {
    this.#leave(number)
    this.#live.delete(number)
  }

  #admit(number: number): void {
    if (!this.#classOf.has(number)) {
      this.#problem(`ticket ${number} was never drawn`)
      return
    }
    if (this.#merged.has(number)) this.#problem(`ticket ${number} went in beside its group`)
    const passed = this.#lane(number).admit(number)
    if (passed !== null) this.#problem(`ticket ${number} went in before ${passed}, which stood before it`)
  }

  /** The k-th drawn has place k; higher classes are drawn first. */
  #reveal(entry: PublicEntry): void {
    const { secret, signature } = entry
    const sealed = this.#sealed
    this.#sealed = null
    if (sealed === null) {
      this.#problem('nothing was sealed before')
      return
    }
    const bytes = fromHex(String(secret))
    if (toHex(sha256(bytes)) !== this.#commitment) this.#problem('the secret is not the one that was committed to')
    const beacon = typeof signature === 'string' ? sha256(fromHex(signature)) : new Uint8Array(0)
    const seed = sha256(Uint8Array.from([...bytes, ...fromHex(sealed.root), ...beacon]))
    const classOf = (number: number): number => this.#classOf.get(number) ?? 0
    const drawn = drawOrder(seed, this.#roomId, sealed.numbers, classOf)
    this.draw.revealed(entry, this.#index, toHex(seed), drawn, classOf)
    for (const [index, number] of drawn.entries()) this.#lane(number).move(number, index + 1)
  }

  #lane(number: number): Lane {
    const ticketClass = this.#classOf.get(number) ?? -1
    const known = this.#lines.get(ticketClass)
    if (known !== undefined) return known
    const lane = new Lane()
    this.#lines.set(ticketClass, lane)
    return lane
  }

  #problem(problem: string): void {
    this.#say(this.#index, problem)
  }
}

/** The waiting tickets of one class by place; the head of it is found without looking at all of them. */
class Lane {
  readonly #tickets = new Map<number, WaitingTicket>()
  /** By place; those that left or are away are skipped when they come to the front. */
  #ordered: WaitingTicket[] = []
  #isSorted = true
  #front = 0

  add(ticket: WaitingTicket): void {
    this.#tickets.set(ticket.number, ticket)
    this.#insert(ticket)
  }

  mark(number: number, isAway: boolean): boolean {
    const ticket = this.#tickets.get(number)
    if (ticket === undefined) return false
    ticket.isAway = isAway
    if (!isAway) this.#insert(ticket)
    return true
  }

  get numbers(): readonly number[] {
    return [...this.#tickets.keys()]
  }

  /** To the place that was drawn. */
  move(number: number, place: number): void {
    const ticket = this.#tickets.get(number)
    if (ticket !== undefined) this.add({ ...ticket, place })
  }

  find(number: number): WaitingTicket | undefined {
    return this.#tickets.get(number)
  }

  /** Takes a ticket out of the line. */
  take(number: number): WaitingTicket | undefined {
    const ticket = this.#tickets.get(number)
    this.#tickets.delete(number)
    return ticket
  }

  remove(number: number): void {
    this.#tickets.delete(number)
  }

  /** The number of a present ticket that stood before the one that goes in; null for none. */
  admit(number: number): number | null {
    const ticket = this.#tickets.get(number)
    this.#tickets.delete(number)
    if (ticket === undefined) return null
    const first = this.#first()
    return first !== null && first.place < ticket.place ? first.number : null
  }

  #insert(ticket: WaitingTicket): void {
    const last = this.#ordered.at(-1)
    if (last !== undefined && last.place > ticket.place) this.#isSorted = false
    this.#ordered.push(ticket)
  }

  #first(): WaitingTicket | null {
    if (!this.#isSorted) {
      this.#ordered = this.#ordered.slice(this.#front).sort((a, b) => a.place - b.place)
      this.#front = 0
      this.#isSorted = true
    }
    while (true) {
      const ticket = this.#ordered[this.#front]
      if (ticket === undefined) return null
      if (this.#tickets.get(ticket.number) === ticket && !ticket.isAway) return ticket
      this.#front += 1
    }
  }
}
