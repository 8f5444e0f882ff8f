import { seededRandom, testSeed } from '@seatwise/testbench'
import { expect, it } from 'vitest'
import { IdentityTable } from '../../src/memory/identity-table.ts'
import { NumberedTickets } from '../../src/memory/numbered-tickets.ts'
import type { Ticket } from '../../src/memory/ticket.ts'

/** What the tables look at of a ticket. */
function ticketOf(number: number, identity: string): Ticket {
  return { number, identity } as Ticket
}

it('[L1] the tables of live tickets answer like plain maps, also while they grow and shrink', () => {
  const random = seededRandom(testSeed())
  const tickets = new NumberedTickets()
  const identities = new IdentityTable(tickets)
  const byNumber = new Map<number, Ticket>()
  const byIdentity = new Map<string, Ticket>()
  let next = 1
  for (let step = 0; step < 30_000; step += 1) {
    // Few enough that most of them come and go often, and enough that the tables double.
    const identity = `visitor-${Math.floor(random() * 4_000)}`
    const live = byIdentity.get(identity)
    expect(identities.get(identity)).toBe(live)
    // The line first grows to most of them, then dwindles to a few.
    const leaves = random() < (step < 15_000 ? 0.2 : 0.9)
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
})
