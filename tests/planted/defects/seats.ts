import type { Defect } from '../defect.ts'

/** Who gets which seats, and how many. */
export const SEATS: readonly Defect[] = [
  {
    name: 'quantity-cut-through-held',
    breaks: 'Lowering the quantity of a seat type takes seats away that buyers hold.',
    rule: 'E13',
    file: 'packages/ledger/src/events/retire-seats.sql',
    edits: [{ from: "status in ('available', 'blocked')", to: "status <> 'sold'" }],
    caughtBy: [
      {
        file: 'packages/ledger/test/events/edit-event.test.ts',
        title: '[E13] grow and shrink, down to what is held or sold and not below',
      },
    ],
  },
  {
    name: 'free-seats-forgotten',
    breaks: 'Returned standing places are never offered again: the search starts behind them.',
    rule: 'B8',
    file: 'packages/ledger/src/seat-map/seat-desk.ts',
    edits: [{ from: 'from[seatTypeId] = Math.min(known, ordinal)', to: 'from[seatTypeId] = Math.max(known, ordinal)' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-seats.test.ts',
        title: '[B8] unnumbered seats are the first free ones, also after some came back',
      },
    ],
  },
  {
    name: 'retired-seat-reserved',
    breaks: 'A buyer reserves a seat that the organiser has taken off the plan.',
    rule: 'B9',
    file: 'packages/ledger/src/seat-map/read-seats.sql',
    edits: [{ from: ' and not retired', to: '' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-seats.test.ts',
        title: '[B9] unknown, foreign and retired seats',
      },
    ],
  },
  {
    name: 'batch-fence-forgotten',
    breaks: 'Of two claims of one ticket in a batch, the one with the older pass wins after the newer one.',
    rule: 'B4',
    file: 'packages/ledger/src/reservations/claims/decide-claims.ts',
    edits: [{ from: 'fact.isOutdated || (fence ?? 0) < (this.#fences.get(ticket) ?? 0)', to: 'fact.isOutdated' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-batches.test.ts',
        title: '[B4] an older fence is refused behind',
      },
    ],
  },
  {
    name: 'fence-by-reservations-only',
    breaks: 'A pass that was replaced by a hand-over still reserves, until the new device has reserved.',
    rule: 'B4',
    file: 'packages/ledger/src/reservations/claims/read-claims.sql',
    edits: [
      {
        from: 'where room_id = claim.room_id and number = claim.ticket_number)), false) as is_outdated',
        to: 'where room_id = claim.room_id and number < 0)), false) as is_outdated',
      },
    ],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-seats.test.ts',
        title: '[B4] an older fence than the highest seen of the ticket is refused,',
      },
    ],
  },
  {
    name: 'paid-ticket-reserves-again',
    breaks: 'A visitor with a paid ticket reserves again with the same admission.',
    rule: 'B4',
    file: 'packages/ledger/src/reservations/claims/decide-claims.ts',
    edits: [{ from: 'if (fact.hasPaid || isOutdated)', to: 'if (isOutdated)' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-seats.test.ts',
        title: '[B4] a ticket that has paid is done, even if the line has not heard of',
      },
    ],
  },
  {
    name: 'replaced-while-paying',
    breaks: 'A buyer replaces a reservation though its stuck payment may still capture money.',
    rule: 'B28',
    file: 'packages/ledger/src/reservations/claims/read-claims.sql',
    edits: [{ from: "'PARTLY_REFUNDED', 'STUCK')", to: "'PARTLY_REFUNDED')" }],
    caughtBy: [
      {
        file: 'packages/ledger/test/payments/pay-together.test.ts',
        title: '[B28] [B33] nothing else pays for, ends or replaces',
      },
    ],
  },
  {
    name: 'batch-limit-forgotten',
    breaks: 'Two claims of one buyer in one batch together exceed the seats a buyer may have.',
    rule: 'B6',
    file: 'packages/ledger/src/reservations/claims/decide-claims.ts',
    edits: [{ from: '(this.#owned.get(claim.buyerId) ?? fact.seatsOwned)', to: 'fact.seatsOwned' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-seats.test.ts',
        title: '[B6] no buyer holds and owns more than the limit, over several tickets',
      },
    ],
  },
  {
    name: 'limit-off-by-one',
    breaks: 'Every buyer gets one seat more than the event allows.',
    rule: 'B49',
    file: 'packages/ledger/src/reservations/claims/decide-claims.ts',
    edits: [{ from: 'owned + quantity > seatsMax', to: 'owned + quantity > seatsMax + 1' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/plain-claims.test.ts',
        title: '[B49] are granted apart from those that are not, which are decided as',
      },
    ],
  },
  {
    name: 'same-seat-twice-counts',
    breaks: 'A claim that names one seat twice gets it twice.',
    rule: 'B1',
    file: 'packages/ledger/src/reservations/claims/decide-claims.ts',
    edits: [
      {
        from: 'this.#chooseById([...new Set(claim.wish.seatIds)], previousId, code)',
        to: 'this.#chooseById(claim.wish.seatIds, previousId, code)',
      },
    ],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-seats.test.ts',
        title: '[B1] a seat that a claim names twice',
      },
    ],
  },
  {
    name: 'sold-out-while-held',
    breaks: 'A buyer is told sold out while seats are only held.',
    rule: 'B14',
    file: 'packages/ledger/src/reservations/claims/decide-claims.ts',
    edits: [{ from: 'available + held === 0', to: 'available === 0' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-seats.test.ts',
        title: '[B14] sold out is said only when nothing is available and nothing is',
      },
    ],
  },
  {
    name: 'overdue-hold-is-replaced',
    breaks: 'A claim replaces a reservation that has just expired, and ends it twice.',
    rule: 'B7',
    file: 'packages/ledger/src/reservations/claims/decide-claims.ts',
    edits: [
      {
        from: 'if (pendingId === null || this.#overdue.has(pendingId)) return null',
        to: 'if (pendingId === null) return null',
      },
    ],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-batches.test.ts',
        title: '[B7] a ticket with an expired hold may claim again',
      },
    ],
  },
  {
    name: 'plain-rooms-not-apart',
    breaks: 'The fast path books claims of two rooms under the first room.',
    rule: 'B3',
    file: 'packages/ledger/src/reservations/claims/grant-plain-claims.ts',
    edits: [{ from: 'roomId !== claims[0]?.roomId || ', to: '' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/plain-claims.test.ts',
        title: '[B3, B49] one that the ledger cannot store fails alone',
      },
    ],
  },
  {
    name: 'plain-hold-times-mixed',
    breaks: 'The fast path gives all claims of a batch the hold time of the first.',
    rule: 'B49',
    file: 'packages/ledger/src/reservations/claims/grant-plain-claims.ts',
    edits: [{ from: ' || holdSeconds !== claims[0].holdSeconds', to: '' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/plain-claims.test.ts',
        title: '[B6] [B49] keep the limit of a buyer',
      },
    ],
  },
  {
    name: 'plain-over-limit',
    breaks: 'The fast path grants more seats than a buyer may have.',
    rule: 'B49',
    file: 'packages/ledger/src/reservations/claims/grant-plain-claims.ts',
    edits: [{ from: 'wish.seatIds.length > seatsPerBuyerMax || ', to: '' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/plain-claims.test.ts',
        title: '[B6] [B49] keep the limit of a buyer',
      },
    ],
  },
  {
    name: 'plain-owner-of-paid-seats',
    breaks: 'The fast path gives more seats to a buyer who has paid for the most allowed.',
    rule: 'B49',
    file: 'packages/ledger/src/reservations/claims/grant-plain-claims.sql',
    edits: [
      {
        from: "where event_id = $1::uuid and status in ('PENDING_PAYMENT', 'PAID') offset 0",
        to: "where event_id = $1::uuid and status = 'PENDING_PAYMENT' offset 0",
      },
    ],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/plain-claims.test.ts',
        title: '[B6] [B49] keep the limit of a buyer',
      },
    ],
  },
  {
    name: 'plain-seat-of-another-event',
    breaks: 'The fast path reserves a seat of another event.',
    rule: 'B49',
    file: 'packages/ledger/src/reservations/claims/grant-plain-claims.sql',
    edits: [{ from: "where seats.event_id = $1::uuid and status = 'available'", to: "where status = 'available'" }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/plain-claims.test.ts',
        title: '[B49] are granted apart from those that are not, which are decided as',
      },
    ],
  },
  {
    name: 'plain-part-of-a-claim',
    breaks: 'The fast path grants the free seats of a claim and drops the taken ones.',
    rule: 'B1',
    file: 'packages/ledger/src/reservations/claims/grant-plain-claims.sql',
    edits: [{ from: 'count(*) over claim = quantity and', to: 'count(*) over claim > 0 and' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/claim-seats.test.ts',
        title: '[B1] a claim takes all its seats or none',
      },
    ],
  },
  {
    name: 'tickets-of-another-room-canceled',
    breaks: 'A visitor who leaves one room cancels the reservation of the same ticket number in another.',
    rule: 'B19',
    file: 'packages/ledger/src/reservations/ending/find-cancelable.sql',
    edits: [{ from: '(room_id = $2::uuid and ticket_number', to: '($2::uuid is not null and ticket_number' }],
    caughtBy: [{ file: 'packages/ledger/test/reservations/ending/end-holds.test.ts', title: '[B19] leaving one room' }],
  },
  {
    name: 'plan-cut-through-held',
    breaks: 'An edit of the plan removes a seat that a buyer holds.',
    rule: 'E14',
    file: 'packages/ledger/src/events/find-seats-in-the-way.sql',
    edits: [{ from: "status in ('held', 'sold')", to: "status = 'sold'" }],
    caughtBy: [
      { file: 'packages/ledger/test/events/edit-event.test.ts', title: '[E14] a seat that is held or sold neither' },
    ],
  },
]
