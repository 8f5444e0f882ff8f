import type { Defect } from '../defect.ts'

/** Defects that a review planted and that no test of version 0.1 noticed, and their kind. */
export const REVIEWED: readonly Defect[] = [
  {
    name: 'pays-after-give-up',
    breaks:
      'The provider answers an order after the watch gave the payment up, and money moves without a stored reference.',
    rule: 'B64',
    file: 'packages/server/src/box-office/payments/buy.ts',
    edits: [
      {
        from: "if (!(await desk.noteRef({ purchaseId, providerRef }))) return { status: 'pending' }",
        to: 'await desk.noteRef({ purchaseId, providerRef })',
      },
    ],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/given-up.test.ts',
        title: '[B64] an order that is taken after',
      },
    ],
  },
  {
    name: 'reference-of-given-up-payment',
    breaks: 'The reference of an order is stored for a payment that was given up, which then goes on.',
    rule: 'B64',
    file: 'packages/ledger/src/payments/undecided/note-payment-refs.sql',
    edits: [{ from: " and status = 'PROCESSING'", to: '' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/given-up.test.ts',
        title: '[B64] an order that is taken after',
      },
    ],
  },
  {
    name: 'gives-up-after-four-seconds',
    breaks: 'An order that takes the provider five seconds is given up.',
    rule: 'B64',
    file: 'packages/server/src/box-office/payments/conclude-from-provider.ts',
    edits: [{ from: 'const ABANDONED_SECONDS = 10', to: 'const ABANDONED_SECONDS = 4' }],
    caughtBy: [
      { file: 'packages/server/test/box-office/payments/given-up.test.ts', title: '[B64] an order that takes 5 s' },
    ],
  },
  {
    name: 'stuck-money-declined',
    breaks: 'A stuck payment with captured money can be declined, and the buyer loses the money.',
    rule: 'B33',
    file: 'packages/ledger/src/payments/concluding/decline-payment.ts',
    edits: [{ from: " || (before.status === 'STUCK' && before.captured === 0)", to: " || before.status === 'STUCK'" }],
    caughtBy: [
      { file: 'packages/ledger/test/payments/pay.test.ts', title: '[B33] a stuck payment with captured money' },
    ],
  },
  {
    name: 'eticket-valid-while-refunding',
    breaks: 'An e-ticket is shown as valid, with its code, while its money is on its way back.',
    rule: 'B34',
    file: 'packages/ledger/src/etickets/read-etickets.sql',
    edits: [{ from: ' or etickets.voided_at is not null', to: '' }],
    caughtBy: [
      { file: 'packages/ledger/test/etickets/etickets.test.ts', title: '[B34] a refund makes e-tickets void' },
    ],
  },
  {
    name: 'bank-page-abandoned',
    breaks: 'A buyer who confirms at the bank for longer than ten seconds is declined.',
    rule: 'B66',
    file: 'packages/server/src/box-office/payments/conclude-from-provider.ts',
    edits: [
      {
        from: "(state.status === 'requires_action' && patience.isOver)",
        to: "(state.status === 'requires_action' && isAbandoned)",
      },
    ],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/given-up.test.ts',
        title: '[B66] a buyer at the bank has until',
      },
    ],
  },
  {
    name: 'plain-fence-of-the-log',
    breaks: 'The fast path takes a pass that was replaced by a hand-over.',
    rule: 'B4',
    file: 'packages/ledger/src/reservations/claims/grant-plain-claims.sql',
    edits: [
      {
        from: 'number = wanted.ticket_number and fence > wanted.fence offset 0',
        to: 'number = wanted.ticket_number and fence < 0 offset 0',
      },
    ],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/plain-claims.test.ts',
        title: '[B4] an older fence than any seen',
      },
    ],
  },
  {
    name: 'plain-fence-of-claims',
    breaks: 'The fast path takes an older pass than an earlier claim of the ticket had.',
    rule: 'B4',
    file: 'packages/ledger/src/reservations/claims/grant-plain-claims.sql',
    edits: [
      {
        from: "(fence > wanted.fence or status in ('PENDING_PAYMENT', 'PAID'))",
        to: "status in ('PENDING_PAYMENT', 'PAID')",
      },
    ],
    caughtBy: [
      {
        file: 'packages/ledger/test/reservations/claims/plain-claims.test.ts',
        title: '[B4] an older fence than any seen',
      },
    ],
  },
  {
    name: 'full-batch-cut',
    breaks: 'The last entry of a full batch of the log is written and not projected.',
    rule: 'R14',
    file: 'packages/ledger/src/rooms/log/copy-log.ts',
    edits: [{ from: 'projectTickets(entries)', to: 'projectTickets(entries.slice(0, 4_999))' }],
    caughtBy: [{ file: 'packages/ledger/test/rooms/copy-log.test.ts', title: '[R14] a full batch of 5,000 entries' }],
  },
  {
    name: 'adoption-before-the-end',
    breaks: 'The follower stops for ever when an account ends its ticket and adopts that of a guest in one batch.',
    rule: 'R14',
    file: 'packages/ledger/src/rooms/log/patch-tickets.ts',
    edits: [
      { from: '].filter(({ group }) => group.length > 0)', to: '].filter(({ group }) => group.length > 0).reverse()' },
    ],
    caughtBy: [{ file: 'packages/ledger/test/rooms/copy-log.test.ts', title: '[R14] an account’s ticket may end' }],
  },
  {
    name: 'code-of-ended-ticket-free',
    breaks: 'After a rebuild the priority code of a ticket that ended is good again.',
    rule: 'R14',
    file: 'packages/ledger/src/rooms/tickets/read-line-memory.sql',
    edits: [
      {
        from: 'filter (where code is not null)',
        to: "filter (where code is not null and state in ('waiting', 'admitted', 'active'))",
      },
    ],
    caughtBy: [
      { file: 'packages/ledger/test/rooms/copy-log.test.ts', title: '[R14] [L7] the code of a ticket that ended' },
    ],
  },
  {
    name: 'paid-hides-pending',
    breaks: 'After a rebuild a visitor with a pending reservation counts as one who has finished.',
    rule: 'R28',
    file: 'packages/ledger/src/rooms/tickets/read-corrections.sql',
    edits: [{ from: 'order by ticket_number, status desc', to: 'order by ticket_number, status' }],
    caughtBy: [
      { file: 'packages/ledger/test/rooms/read-corrections.test.ts', title: '[R28] a reservation that was paid late' },
    ],
  },
  {
    name: 'trimmed-log-unnoticed-by-the-ledger',
    breaks: 'Entries that were trimmed before the ledger had them are skipped.',
    rule: 'R15',
    file: 'packages/ledger/src/rooms/log/copy-log.ts',
    edits: [{ from: 'if (row.seq < first.seq - 1) return', to: 'if (row.seq < first.seq - 5_000) return' }],
    caughtBy: [{ file: 'packages/ledger/test/rooms/copy-log.test.ts', title: '[R15] refuses another epoch, a gap' }],
  },
  {
    name: 'joiner-at-ones-rank',
    breaks: 'A visitor who joins exactly at the rank of another does not move that one in push.',
    rule: 'U7',
    file: 'packages/server/src/push/channels/private-channel.ts',
    edits: [{ from: 'step.rank <= rank ? 1 : 0', to: 'step.rank < rank ? 1 : 0' }],
    caughtBy: [{ file: 'packages/server/test/push/units.test.ts', title: '[U7] a rank that the server follows' }],
  },
  {
    name: 'joiner-at-ones-rank-by-moves',
    breaks: 'A visitor who joins exactly at the rank of another does not move that one on the device.',
    rule: 'K10',
    file: 'packages/client/src/place/rank.ts',
    edits: [{ from: 'if (at <= moved) moved += by', to: 'if (at < moved) moved += by' }],
    caughtBy: [{ file: 'packages/client/test/rank.test.ts', title: '[K10] a visitor who comes in exactly' }],
  },
  {
    name: 'withdrawn-name-shown',
    breaks: 'A name that was taken back is shown while the ledger is away.',
    rule: 'R6',
    file: 'packages/server/src/rooms/routes/neighbor-routes.ts',
    edits: [
      { from: 'chosen === null ? null : chosen.has(number)', to: 'chosen === null ? shown : chosen.has(number)' },
    ],
    caughtBy: [
      { file: 'packages/server/test/rooms/stores-away.test.ts', title: '[R6] without the ledger no name is shown' },
    ],
  },
  {
    name: 'known-user-outlives-the-floor',
    breaks: 'A KnownUser token may be presented after the session on the floor is over.',
    rule: 'G37',
    file: 'packages/server/src/rooms/tokens/known-user-token.ts',
    edits: [{ from: 'Math.min(now + PRESENT_MS, deadline)', to: '(now + PRESENT_MS)' }],
    caughtBy: [
      { file: 'packages/server/test/rooms/tokens/room-tokens.test.ts', title: '[G37] a KnownUser token ends with' },
    ],
  },
  {
    name: 'known-user-cookie-outlives-the-floor',
    breaks: 'The cookie of a connector lasts longer than the session on the floor.',
    rule: 'G37',
    file: 'packages/server/src/rooms/tokens/known-user-token.ts',
    edits: [{ from: 'Math.floor((deadline - now) / MINUTE_MS)', to: 'Math.ceil((deadline - now) / MINUTE_MS)' }],
    caughtBy: [
      { file: 'packages/server/test/rooms/tokens/room-tokens.test.ts', title: '[G37] a KnownUser token ends with' },
    ],
  },
  {
    name: 'trimmed-log-unnoticed-by-the-picture',
    breaks: 'A slow server goes on telling visitors that they wait although it missed the entries that say otherwise.',
    rule: 'R12',
    file: 'packages/server/src/rooms/log/tail-log.ts',
    edits: [{ from: 'first.seq > parts.followedSeq() + 1', to: 'first.seq > parts.followedSeq() + 2' }],
    caughtBy: [
      { file: 'packages/server/test/rooms/log/trimmed-log.test.ts', title: '[R12] a server that reads more slowly' },
    ],
  },
  {
    name: 'trimmed-log-unnoticed-by-the-follower',
    breaks: 'A log that was trimmed beyond the ledger is asked for over and over, and the room is never rebuilt.',
    rule: 'R15',
    file: 'packages/server/src/rooms/log/follow-log.ts',
    edits: [{ from: "        if (reply.seq === followed.seq) link.lost(at.epoch, 'conflict')\n", to: '' }],
    caughtBy: [
      { file: 'packages/server/test/rooms/log/trimmed-log.test.ts', title: '[R15] a log that is trimmed beyond' },
    ],
  },
  {
    name: 'rate-of-each-ipv6-address',
    breaks: 'A bot with one IPv6 network has as many request rates as addresses.',
    rule: 'A42',
    file: 'packages/server/src/http/access/limit-rates.ts',
    edits: [{ from: 'const sender = senderOf(request.ip)', to: 'const sender = senderOf(request.ip) && request.ip' }],
    caughtBy: [
      { file: 'packages/server/test/http/access/ipv6-limits.test.ts', title: '[A42][A25] rates: of every request' },
    ],
  },
  {
    name: 'guesses-of-each-ipv6-address',
    breaks: 'A bot with one IPv6 network guesses passwords without waiting.',
    rule: 'A42',
    file: 'packages/server/src/identity/accounts/check-password.ts',
    edits: [
      {
        from: 'identity.throttle.attempt(senderOf(address), emailKey)',
        to: 'identity.throttle.attempt(senderOf(address) && address, emailKey)',
      },
    ],
    caughtBy: [{ file: 'packages/server/test/http/access/ipv6-limits.test.ts', title: '[A42][A8] wrong passwords at' }],
  },
  {
    name: 'guests-of-each-ipv6-address',
    breaks: 'A bot with one IPv6 network has as many guest places as addresses.',
    rule: 'A42',
    file: 'packages/server/src/rooms/routes/join-line.ts',
    edits: [{ from: 'ofAddress(senderOf(address))', to: 'ofAddress(address)' }],
    caughtBy: [
      { file: 'packages/server/test/http/access/ipv6-limits.test.ts', title: '[A42] guests of one address in a line' },
    ],
  },
  {
    name: 'guest-key-of-each-ipv6-address',
    breaks: 'A guest draws a second ticket by repeating the join after the device changed its IPv6 address.',
    rule: 'A42',
    file: 'packages/server/src/rooms/routes/join-line.ts',
    edits: [{ from: 'guestOf(room.id, senderOf(address), key)', to: 'guestOf(room.id, address, key)' }],
    caughtBy: [
      { file: 'packages/server/test/http/access/ipv6-limits.test.ts', title: '[A42] guests of one address in a line' },
    ],
  },
  {
    name: 'sockets-of-each-ipv6-address',
    breaks: 'A bot with one IPv6 network opens push connections without a limit.',
    rule: 'A42',
    file: 'packages/server/src/push/routes.ts',
    edits: [{ from: 'const sender = senderOf(request.ip)', to: 'const sender = senderOf(request.ip) && request.ip' }],
    caughtBy: [
      { file: 'packages/server/test/http/access/ipv6-limits.test.ts', title: '[A42] push connections of one address' },
    ],
  },
  {
    name: 'markup-in-a-seat',
    breaks: 'The name of a seat type or row runs script in the e-ticket that is mailed.',
    rule: 'W23',
    file: 'packages/server/src/box-office/etickets/printable-page.ts',
    edits: [{ from: 'escapeHtml(nameSeat(seat))', to: 'nameSeat(seat)' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/etickets/etickets.test.ts',
        title: '[W23] markup in event, place, seat type',
      },
    ],
  },
  {
    name: 'markup-in-a-place',
    breaks: 'The place of an event runs script in the e-ticket that is mailed.',
    rule: 'W23',
    file: 'packages/server/src/box-office/etickets/printable-page.ts',
    edits: [{ from: '.map(escapeHtml)', to: '.map((text) => text)' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/etickets/etickets.test.ts',
        title: '[W23] markup in event, place, seat type',
      },
    ],
  },
  {
    name: 'formula-by-minus',
    breaks: 'A name that begins with a minus runs as a formula in the table of an operator.',
    rule: 'W66',
    file: 'packages/server/src/kit/csv.ts',
    edits: [{ from: '[=+\\-@\\t\\r\\n]', to: '[=+@\\t\\r\\n]' }],
    caughtBy: [{ file: 'packages/server/test/kit/csv.test.ts', title: '[W66] no cell of text begins' }],
  },
  {
    name: 'formula-by-tab',
    breaks: 'A name that begins with a tab or return runs as a formula in the table of an operator.',
    rule: 'W66',
    file: 'packages/server/src/kit/csv.ts',
    edits: [{ from: '[=+\\-@\\t\\r\\n]', to: '[=+\\-@]' }],
    caughtBy: [{ file: 'packages/server/test/kit/csv.test.ts', title: '[W66] no cell of text begins' }],
  },
  {
    name: 'brand-kept-for-ever',
    breaks: 'A changed brand is never seen on other servers.',
    rule: 'W39',
    file: 'packages/server/src/site/brands/brand-reads.ts',
    edits: [
      {
        from: 'entry !== undefined && now() - entry.askedAtMs < BRAND_AGE_MS_MAX',
        to: 'entry !== undefined && now() - entry.askedAtMs < 1_000 * BRAND_AGE_MS_MAX',
      },
    ],
    caughtBy: [{ file: 'packages/server/test/site/brands.test.ts', title: '[W39] a changed brand' }],
  },
]
