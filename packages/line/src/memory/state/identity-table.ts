import assert from 'node:assert/strict'
import type { NumberedTickets } from './numbered-tickets.ts'
import type { Ticket } from './ticket.ts'

/** Slots at first; always a power of two, and at least half of them free. */
const SLOTS_MIN = 1_024
/** A slot's two numbers: a hash of the identity, and the number of its ticket, 0 in a free slot. */
const SLOT_LENGTH = 2
const NUMBER_MAX = 2 ** 32 - 1
/** Characters of an identity that are hashed: 48 bits of a value that is already a hash. Tests use other texts, too. */
const HASHED_LENGTH = 8

/**
 * The live ticket of each identity: a hash table with linear probing that stores ticket numbers, and compares identities
 * with those of the tickets. Looking up an identity costs one cache miss, where a Map of a million strings costs five, and
 * an entry takes 16 to 32 bytes.
 */
export class IdentityTable {
  readonly #tickets: NumberedTickets
  #slots = new Uint32Array(SLOTS_MIN * SLOT_LENGTH)
  #count = 0

  /** Finds tickets in `tickets`, so an identity must be deleted before its ticket. */
  constructor(tickets: NumberedTickets) {
    this.#tickets = tickets
  }

  /**
   * Prefetches the slots of all identities that are about to be looked up, and returns how many are taken. The slots are
   * scattered in memory: read in one loop, their cache misses overlap. Saves a tenth of a join among a million tickets.
   */
  lookAhead(requests: readonly { readonly identity: string }[]): number {
    let taken = 0
    for (const { identity } of requests) {
      // Without a branch: a mispredicted one would wait for its slot.
      taken += Math.min(1, this.#slots[this.#slotFor(hashOf(identity)) + 1] ?? 0)
    }
    return taken
  }

  get(identity: string): Ticket | undefined {
    const number = this.#slots[this.#find(identity, hashOf(identity)) + 1]
    return number === undefined || number === 0 ? undefined : this.#tickets.get(number)
  }

  set(identity: string, { number }: Ticket): void {
    assert(number > 0 && number <= NUMBER_MAX, `Ticket ${number} cannot be kept`)
    const hash = hashOf(identity)
    const slot = this.#find(identity, hash)
    if (this.#slots[slot + 1] === 0) this.#count++
    this.#slots[slot] = hash
    this.#slots[slot + 1] = number
    if (this.#count * 2 * SLOT_LENGTH > this.#slots.length) this.#grow()
  }

  delete(identity: string): void {
    let free = this.#find(identity, hashOf(identity))
    if (this.#slots[free + 1] === 0) return
    this.#count--
    // Entries behind it that would not be found any more move up, so that no slot is marked as deleted.
    for (let slot = this.#next(free); this.#slots[slot + 1] !== 0; slot = this.#next(slot)) {
      const wanted = this.#slotFor(this.#slots[slot] ?? 0)
      const passesFree = free <= slot ? wanted <= free || wanted > slot : wanted <= free && wanted > slot
      if (!passesFree) continue
      this.#slots.copyWithin(free, slot, slot + SLOT_LENGTH)
      free = slot
    }
    this.#slots.fill(0, free, free + SLOT_LENGTH)
  }

  /** The slot of an identity, or the free one where it would be put. */
  #find(identity: string, hash: number): number {
    let slot = this.#slotFor(hash)
    for (let number = this.#slots[slot + 1]; number !== undefined && number !== 0; number = this.#slots[slot + 1]) {
      if (this.#slots[slot] === hash && this.#tickets.get(number)?.identity === identity) return slot
      slot = this.#next(slot)
    }
    return slot
  }

  #slotFor(hash: number): number {
    return (hash * SLOT_LENGTH) & (this.#slots.length - 1)
  }

  #next(slot: number): number {
    return (slot + SLOT_LENGTH) & (this.#slots.length - 1)
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Uint32Array(before.length * 2)
    for (let from = 0; from < before.length; from += SLOT_LENGTH) {
      const [hash = 0, number = 0] = [before[from], before[from + 1]]
      if (number === 0) continue
      let slot = this.#slotFor(hash)
      while (this.#slots[slot + 1] !== 0) slot = this.#next(slot)
      this.#slots[slot] = hash
      this.#slots[slot + 1] = number
    }
  }
}

/** FNV-1a over the last characters. */
function hashOf(identity: string): number {
  let hash = 0x811c9dc5
  for (let index = Math.max(0, identity.length - HASHED_LENGTH); index < identity.length; index++) {
    hash = Math.imul(hash ^ identity.charCodeAt(index), 0x01000193)
  }
  // The lowest bits choose the slot: they must depend on all the others.
  return (hash ^ (hash >>> 15)) >>> 0
}
