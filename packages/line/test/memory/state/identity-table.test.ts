import { seededRandom, testSeed } from '@seatwise/testbench'
import { expect, it } from 'vitest'
import { IdentityTable } from '../../../src/memory/state/identity-table.ts'
import { NumberedTickets } from '../../../src/memory/state/numbered-tickets.ts'
import type { Ticket } from '../../../src/memory/state/ticket.ts'

/** What the tables look at of a ticket. */
function ticketOf(number: number, identity: string): Ticket {
  return { number, identity } as Ticket
}

it('[L1] the tables of live tickets answer like plain maps, also while they grow and shrink', () => {
  // Few enough that most of them come and go often, and enough that the tables double. The line first grows to most of
  // them, then dwindles to a few.
  compareWithMaps(4_000, (step) => (step < 15_000 ? 0.2 : 0.9))
})

it('[L1] also in a table that stays as full as it may be, where neighbours reach round its end', () => {
  compareWithMaps(560, () => 0.15)
})

/** So many visitors come, and go with the given chance, for a while. */
function compareWithMaps(visitors: number, leaving: (step: number) => number): void {
  const random = seededRandom(testSeed())
  const tickets = new NumberedTickets()
  const identities = new IdentityTable(tickets)
  const byNumber = new Map<number, Ticket>()
  const byIdentity = new Map<string, Ticket>()
  let next = 1
  for (let step = 0; step < 30_000; step += 1) {
    const identity = `visitor-${Math.floor(random() * visitors)}`
    const live = byIdentity.get(identity)
    expect(identities.get(identity)).toBe(live)
    const leaves = random() < leaving(step)
    if (live === undefined && !leaves) {
      const ticket = ticketOf(next++, identity)
      tickets.set(ticket.number, ticket)
      identities.set(identity, ticket)
      byNumber.set(ticket.number, ticket)
      byIdentity.set(identity, ticket)
    } else if (live !== undefined && leaves) {
      identities.delete(identity)
      tickets.delete(live.number)
      byNumber.delete(live.number)
      byIdentity.delete(identity)
    }
    const number = Math.floor(random() * next)
    expect(tickets.get(number)).toBe(byNumber.get(number))
    expect(tickets.size).toBe(byNumber.size)
  }
}
