import type { Defect } from '../defect.ts'

/** Who may see and do what. */
export const ACCESS: readonly Defect[] = [
  {
    name: 'stuck-anothers-events',
    breaks: 'An organiser sees the stuck payments of other organisers.',
    rule: 'B33',
    file: 'packages/ledger/src/payments/undecided/list-stuck.sql',
    edits: [
      {
        from: '   and ($2::uuid[] is null or events.organization_id = any ($2::uuid[]))\n',
        to: '   and ($2::uuid[] is null or events.organization_id is not null)\n',
      },
    ],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/payments/stuck.test.ts',
        title: '[B33] another amount than was asked for is stuck, listed, and refunded',
      },
    ],
  },
  {
    name: 'check-in-twice',
    breaks: 'An e-ticket lets in as often as it is scanned.',
    rule: 'B35',
    file: 'packages/ledger/src/etickets/check-in.sql',
    edits: [{ from: ' and checked_in_at is null', to: '' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/etickets/etickets.test.ts',
        title: '[B35] the first scan counts, the second is told when the first was, an',
      },
    ],
  },
  {
    name: 'check-in-refunded',
    breaks: 'A refunded e-ticket still lets its holder in.',
    rule: 'B34',
    file: 'packages/ledger/src/etickets/check-in.sql',
    edits: [{ from: ' and voided_at is null', to: '' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/etickets/etickets.test.ts',
        title: '[B34] a refund makes e-tickets void, already while the money is on its',
      },
    ],
  },
  {
    name: 'cross-site-write',
    breaks: 'A page of a sibling domain acts with the session cookie of a visitor.',
    rule: 'R27',
    file: 'packages/server/src/http/own-pages.ts',
    edits: [{ from: "site !== 'same-origin' && site !== 'none'", to: "site === 'cross-site'" }],
    caughtBy: [
      {
        file: 'packages/server/test/rooms/routes/ticket-cookie.test.ts',
        title: '[R27] it does not count for other sites, other rooms, or when it was',
      },
    ],
  },
  {
    name: 'forwarded-is-nearby',
    breaks: 'A request through a proxy counts as one from the local network and reads the metrics.',
    rule: 'A24',
    file: 'packages/server/src/http/access/enforce-access.ts',
    edits: [
      {
        from: 'forwarded === undefined && forwardedFor === undefined && isPrivate',
        to: 'forwardedFor === undefined && isPrivate',
      },
    ],
    caughtBy: [{ file: 'packages/server/test/http/access/access.test.ts', title: '[A24] measurements from' }],
  },
  {
    name: 'deleted-account-keeps-role',
    breaks: 'After one failed look-up no operator can act for five seconds.',
    rule: 'A20',
    file: 'packages/server/src/identity/sessions/current-actor.ts',
    edits: [{ from: '.catch(() => known.delete(id))', to: '.catch(() => undefined)' }],
    caughtBy: [
      {
        file: 'packages/server/test/http/access/access.test.ts',
        title: '[A20] while the ledger is away buyers are recognised and privileges are',
      },
    ],
  },
  {
    name: 'expired-token-from-memory',
    breaks: 'An access token that a server remembers never expires.',
    rule: 'P11',
    file: 'packages/server/src/identity/sessions/verified-tokens.ts',
    edits: [{ from: ' || actor.expiresAt <= nowSeconds', to: '' }],
    caughtBy: [
      {
        file: 'packages/server/test/identity/sessions/access-tokens.test.ts',
        title: '[P11] a cached token still expires',
      },
    ],
  },
  {
    name: 'token-for-another-audience',
    breaks: 'A token for another audience, signed with the same secret, is accepted.',
    rule: 'P11',
    file: 'packages/server/src/identity/sessions/access-claims.ts',
    edits: [{ from: ' || aud !== ACCESS_TOKEN_AUDIENCE', to: '' }],
    caughtBy: [
      {
        file: 'packages/server/test/identity/sessions/access-tokens.test.ts',
        title: '[P11] a token with any claims is accepted exactly when another',
      },
    ],
  },
  {
    name: 'wait-taken-back-by-success',
    breaks: 'Signing in to an own account resets the count of wrong passwords for all others.',
    rule: 'A9',
    file: 'packages/server/src/identity/accounts/sign-in-throttle.ts',
    edits: [{ from: 'ofSender.count -= 1', to: 'ofSender.count = 0' }],
    caughtBy: [
      {
        file: 'packages/server/test/identity/accounts/throttle.test.ts',
        title: '[A9] signing in clears the sender’s failures for that account',
      },
    ],
  },
  {
    name: 'organiser-reads-purchase',
    breaks: 'Staff and organisers read any purchase by its id.',
    rule: 'X3',
    file: 'packages/server/src/box-office/payments/routes.ts',
    edits: [{ from: '|| isAdmin(actor)', to: "|| actor.role !== 'buyer'" }],
    caughtBy: [
      {
        file: 'packages/server/test/security/ownership.test.ts',
        title: '[X3] [ASVS-8.2.2] [ASVS-8.4.1] no user reaches',
      },
    ],
  },
  {
    name: 'refund-anothers-event',
    breaks: 'A member of any organization refunds purchases of all others.',
    rule: 'X3',
    file: 'packages/server/src/box-office/payments/refund-routes.ts',
    edits: [
      {
        from: "if (await mayDoOnEvent(services.ledger, purchase.eventId, actor, 'refund')) return",
        to: "if (actor.teams?.size || (await mayDoOnEvent(services.ledger, purchase.eventId, actor, 'refund'))) return",
      },
    ],
    caughtBy: [
      {
        file: 'packages/server/test/security/ownership.test.ts',
        title: '[X3] [ASVS-8.2.2] [ASVS-8.4.1] no user reaches',
      },
    ],
  },
  {
    name: 'last-admin-demoted-in-race',
    breaks: 'Two admins who demote each other at once leave no admin.',
    rule: 'A30',
    file: 'packages/server/src/identity/accounts/change-role.ts',
    edits: [{ from: '      .forUpdate()\n', to: '' }],
    caughtBy: [
      {
        file: 'packages/server/test/identity/accounts/last-admin.test.ts',
        title: '[A30] two admins who demote each other while',
      },
    ],
  },
  {
    name: 'priority-code-of-another-room',
    breaks: 'A priority code of one room gives priority in another.',
    rule: 'R3',
    file: 'packages/server/src/rooms/routes/join-line.ts',
    edits: [{ from: 'code === null || code.room !== room.id', to: 'code === null' }],
    caughtBy: [{ file: 'packages/server/test/rooms/floor.test.ts', title: '[R3] a forged code, an expired one' }],
  },
  {
    name: 'priority-code-after-its-end',
    breaks: 'An expired priority code still gives priority.',
    rule: 'R3',
    file: 'packages/server/src/rooms/routes/join-line.ts',
    edits: [{ from: 'code.expiresAt <= now()', to: 'code.expiresAt <= 0' }],
    caughtBy: [{ file: 'packages/server/test/rooms/floor.test.ts', title: '[R3] a forged code, an expired one' }],
  },
  {
    name: 'handover-code-after-its-end',
    breaks: 'A hand-over code that was photographed works for ever.',
    rule: 'R5',
    file: 'packages/ledger/src/accounts/use-handover-code.sql',
    edits: [{ from: ' and expires_at > now()', to: '' }],
    caughtBy: [
      { file: 'packages/server/test/rooms/handover/handover.test.ts', title: '[R5] an expired or replaced code' },
    ],
  },
  {
    name: 'sale-token-everywhere',
    breaks: 'An access token that came with a place is good on routes that do not state that they serve such tokens.',
    rule: 'A51',
    file: 'packages/server/src/http/access/sale-scope.ts',
    edits: [{ from: "return sale === 'checked'", to: 'return true' }],
    caughtBy: [
      { file: 'packages/server/test/security/sale-tokens.test.ts', title: '[A51] a token of one sale is refused' },
    ],
  },
  {
    name: 'handover-code-used-twice',
    breaks: 'A hand-over code that was used is taken for a good one again.',
    rule: 'R5',
    file: 'packages/ledger/src/accounts/use-handover-code.sql',
    edits: [{ from: '\n   and (used_by is null or used_by = $3)', to: '' }],
    caughtBy: [{ file: 'packages/server/test/rooms/handover/handover.test.ts', title: '[R5] a code is valid once' }],
  },
  {
    name: 'sale-token-after-taking-back',
    breaks: 'A device from which the owner took the place back still reserves and pays in the name of the owner.',
    rule: 'R33',
    file: 'packages/server/src/rooms/routes/join-line.ts',
    edits: [
      { from: 'if (isOwnDevice && takesBack) await endHandedSessions(', to: 'if (isNew) await endHandedSessions(' },
    ],
    caughtBy: [
      {
        file: 'packages/server/test/rooms/handover/handover-taken-back.test.ts',
        title: '[R33] [A50] who lost a place again',
      },
    ],
  },
  {
    name: 'ticket-of-another-room',
    breaks: 'A ticket token of one room acts on the ticket with the same number in another.',
    rule: 'R2',
    file: 'packages/server/src/rooms/routes/holder.ts',
    edits: [{ from: 'request.tickets.find((ticket) => ticket.room === room.id)', to: 'request.tickets.at(0)' }],
    caughtBy: [
      { file: 'packages/server/test/rooms/tickets.test.ts', title: '[R2] a forged ticket is refused with 401' },
    ],
  },
  {
    name: 'pass-of-another-room-completes',
    breaks: 'A pass of one room ends the visit with the same number in another.',
    rule: 'R7',
    file: 'packages/server/src/rooms/routes/holder.ts',
    edits: [
      {
        from: 'pass.room === room.id ? await room.holderOf(pass.number, pass.fence) : null',
        to: 'await room.holderOf(pass.number, pass.fence)',
      },
    ],
    caughtBy: [
      { file: 'packages/server/test/rooms/floor.test.ts', title: '[R7] a pass of another room finishes nothing' },
    ],
  },
  {
    name: 'pass-of-another-event-reserves',
    breaks: 'A pass of one event reserves seats of another.',
    rule: 'P7',
    file: 'packages/server/src/box-office/reservations/reserve-seats.ts',
    edits: [{ from: 'claims === null || claims.room !== room.id', to: 'claims === null' }],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/reservations/access.test.ts',
        title: '[P7] [B4] the pass of another ticket',
      },
    ],
  },
  {
    name: 'anothers-etickets-listed',
    breaks: 'A buyer lists the e-tickets, with their codes, of any reservation.',
    rule: 'B35',
    file: 'packages/server/src/box-office/etickets/routes.ts',
    edits: [{ from: 'holderId === id && isOfSale(actor, eventId)', to: 'isOfSale(actor, eventId)' }],
    caughtBy: [
      { file: 'packages/server/test/box-office/etickets/etickets.test.ts', title: '[B35] the owner sees the e-ticket' },
    ],
  },
  {
    name: 'organiser-at-anothers-door',
    breaks: 'A member of any organization uses up e-tickets of all others.',
    rule: 'B35',
    file: 'packages/server/src/box-office/etickets/check-in.ts',
    edits: [
      {
        from: "if (eticket !== null && !mayDo(actor, 'check_in', eticket.organizationId))",
        to: 'if (eticket === null)',
      },
    ],
    caughtBy: [
      {
        file: 'packages/server/test/box-office/etickets/etickets.test.ts',
        title: '[B35] only members of the event’s organization',
      },
    ],
  },
  {
    name: 'short-guest-key',
    breaks: 'A guessable key makes a visitor the guest of another.',
    rule: 'R29',
    file: 'packages/server/src/rooms/routes/join-line.ts',
    edits: [{ from: 'const GUEST_KEY_LENGTH_MIN = 16', to: 'const GUEST_KEY_LENGTH_MIN = 1' }],
    caughtBy: [{ file: 'packages/server/test/rooms/guests.test.ts', title: '[R29] a key that could be guessed' }],
  },
  {
    name: 'webhook-to-any-address-of-name',
    breaks: 'A webhook to a name that also has a public address reaches the private network.',
    rule: 'B37',
    file: 'packages/server/src/delivery/webhooks/pin-address.ts',
    edits: [{ from: '!addresses.every(isPublicAddress)', to: '!addresses.some(isPublicAddress)' }],
    caughtBy: [
      { file: 'packages/server/test/delivery/webhooks.test.ts', title: '[B37] a name with one private address among' },
    ],
  },
  {
    name: 'webhook-to-shared-address-space',
    breaks: 'A webhook reaches the shared address space of the provider.',
    rule: 'B37',
    file: 'packages/server/src/delivery/webhooks/public-address.ts',
    edits: [{ from: "  ['100.64.0.0', 10],\n", to: '' }],
    caughtBy: [{ file: 'packages/server/test/delivery/webhooks.test.ts', title: '[B37] 100.64' }],
  },
  {
    name: 'role-change-keeps-sessions',
    breaks: 'An account keeps its sessions, with the old role, when an admin takes the role away.',
    rule: 'A19',
    file: 'packages/server/src/identity/accounts/change-role.ts',
    edits: [
      {
        from: '      await endSessionsOf(transaction, id, { keptSeconds: TOKEN_VALID_SECONDS_MAX })\n',
        to: '',
      },
    ],
    caughtBy: [
      { file: 'packages/server/test/identity/sessions/sessions.test.ts', title: '[A19][A30] a buyer’s sessions end' },
    ],
  },
  {
    name: 'password-change-keeps-sessions',
    breaks: 'A thief keeps a stolen session after the password was replaced.',
    rule: 'A33',
    file: 'packages/server/src/identity/accounts/replace-password.ts',
    edits: [
      {
        from: '    await endSessionsOf(transaction, actor.id, { keptSeconds: TOKEN_VALID_SECONDS_MAX, exceptSession })\n',
        to: '',
      },
    ],
    caughtBy: [
      {
        file: 'packages/server/test/identity/sessions/sessions.test.ts',
        title: '[A33] a new password ends every other session',
      },
    ],
  },
  {
    name: 'ended-in-a-slow-transaction',
    breaks: 'A session that ended in a slow transaction is never heard of by other servers.',
    rule: 'A31',
    file: 'packages/ledger/src/accounts/read-ended.sql',
    edits: [{ from: 'ended.written_by >= $1::xid8', to: 'ended.written_by > $1::xid8' }],
    caughtBy: [
      {
        file: 'packages/ledger/test/accounts/ended-identities.test.ts',
        title: '[A31] a session that ended in a slow transaction',
      },
    ],
  },
  {
    name: 'new-session-refused',
    breaks: 'After signing out everywhere the next session is refused, too.',
    rule: 'A32',
    file: 'packages/server/src/identity/sessions/ended-sessions.ts',
    edits: [
      {
        from: '(session?.version ?? 0) < ofIdentity.belowVersion',
        to: '(session?.version ?? 0) <= ofIdentity.belowVersion',
      },
    ],
    caughtBy: [
      { file: 'packages/server/test/identity/sessions/sessions.test.ts', title: '[A32] signing out everywhere' },
    ],
  },
]
