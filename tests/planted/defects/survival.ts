import type { Defect } from '../defect.ts'

/** Defects in what must survive an outage or a crash: reads from copies, visitors let in by an operator, ticket news. */
export const SURVIVAL: readonly Defect[] = [
  {
    name: 'no-copy-when-away',
    breaks: 'Visitors get errors for events that the server knows, because PostgreSQL is away.',
    rule: 'C10',
    file: 'packages/server/src/kit/read-cache.ts',
    edits: [{ from: 'const copy = isLedgerAway(error) ? this.#copyOf(key) : null', to: 'const copy = null' }],
    caughtBy: [
      {
        file: 'packages/server/test/kit/read-cache.test.ts',
        title: '[C10] the last good value is given for 15 minutes',
      },
    ],
  },
  {
    name: 'copy-for-ever',
    breaks: 'A copy of yesterday is shown as if the sale still looked like that.',
    rule: 'C10',
    file: 'packages/server/src/kit/read-cache.ts',
    edits: [{ from: 'const COPY_MS_MAX = 15 * 60_000', to: 'const COPY_MS_MAX = 15 * 3_600_000' }],
    caughtBy: [
      {
        file: 'packages/server/test/kit/read-cache.test.ts',
        title: '[C10] the last good value is given for 15 minutes',
      },
    ],
  },
  {
    name: 'copy-untold',
    breaks: 'Visitors decide by an old copy that does not say how old it is.',
    rule: 'C10',
    file: 'packages/server/src/kit/document.ts',
    edits: [{ from: 'if (staleSeconds !== null) reply.header', to: 'if (staleSeconds === 0) reply.header' }],
    caughtBy: [
      { file: 'packages/server/test/box-office/events/stale-reads.test.ts', title: '[C10] an event, its seats' },
    ],
  },
  {
    name: 'written-copy-kept',
    breaks: 'A list shows an event as it was before its organiser changed or withdrew it, while PostgreSQL is away.',
    rule: 'C12',
    file: 'packages/server/src/kit/read-cache.ts',
    edits: [{ from: '      if (contains(entry.value)) this.#drop(key)\n', to: '' }],
    caughtBy: [
      { file: 'packages/server/test/kit/read-cache.test.ts', title: '[C12] a write drops the copies that contain it' },
    ],
  },
  {
    name: 'silent-ledger-asked-by-all',
    breaks: 'Every reader waits for a ledger that hangs, and the server fills up with them.',
    rule: 'C11',
    file: 'packages/server/src/kit/pulse.ts',
    edits: [{ from: "    if (this.#isAway) throw new LedgerUnreachable('The ledger is away')\n", to: '' }],
    caughtBy: [
      { file: 'packages/server/test/kit/pulse.test.ts', title: '[C11] a silent ledger costs the first reader' },
    ],
  },
  {
    name: 'slow-read-counts-as-away',
    breaks: 'One slow read makes every page old although the ledger answers.',
    rule: 'C11',
    file: 'packages/server/src/kit/pulse.ts',
    edits: [
      {
        from: '    this.#probe().catch((cause: unknown) => {\n      giveUp',
        to: '    Promise.reject(new Error()).catch((cause: unknown) => {\n      giveUp',
      },
    ],
    caughtBy: [{ file: 'packages/server/test/kit/pulse.test.ts', title: '[C11] a slow read beside a probe' }],
  },
  {
    name: 'operator-uses-the-rate',
    breaks: 'Letting visitors in now takes the tokens of those who come next, and the line stands still afterwards.',
    rule: 'M29',
    file: 'packages/line/src/memory/steps/admit.ts',
    edits: [
      {
        from: 'if (step.operatorLeft === null) room.bucket = takeToken(room.bucket)\n  else step.operatorLeft--',
        to: 'room.bucket = takeToken(room.bucket)\n  if (step.operatorLeft !== null) step.operatorLeft--',
      },
    ],
    caughtBy: [
      { file: 'packages/line/test/memory/contract.test.ts', title: '[M29] an operator lets so many in from the head' },
    ],
  },
  {
    name: 'operator-past-capacity',
    breaks: 'An operator lets more visitors in than fit inside.',
    rule: 'M29',
    file: 'packages/line/lua/includes/admission.lua',
    edits: [
      {
        from: 'return math.min(free_slots(room), step.operator_count or tokens(room))',
        to: 'return step.operator_count or math.min(free_slots(room), tokens(room))',
      },
    ],
    caughtBy: [
      { file: 'packages/line/test/redis/contract.test.ts', title: '[M29] an operator never lets in past capacity' },
    ],
  },
  {
    name: 'paused-room-admits-now',
    breaks: 'Visitors enter a room that an operator paused, because another operator lets them in.',
    rule: 'W84',
    file: 'packages/server/src/operators/console/admit-routes.ts',
    edits: [
      {
        from: "  if ((await room.previewAdmission(count)).limitedBy === 'paused') throw new SeatwiseError('PAUSED')\n",
        to: '',
      },
      {
        from: "  if (admitted.limitedBy === 'paused' && admitted.admitted === 0) throw new SeatwiseError('PAUSED')\n",
        to: '',
      },
    ],
    caughtBy: [
      { file: 'packages/server/test/operators/admit-now.test.ts', title: '[W84] a paused room is refused with PAUSED' },
    ],
  },
  {
    name: 'ticket-news-by-all-servers',
    breaks: 'Every server tells a webhook of every ticket.',
    rule: 'B69',
    file: 'packages/ledger/src/rooms/ticket-news/hand-out-tickets.ts',
    edits: [
      { from: '    if (rows[0]?.ours !== true) return false\n', to: '    if (rows.length === 0) return false\n' },
    ],
    caughtBy: [
      { file: 'packages/server/test/delivery/ticket-news.test.ts', title: '[B69] however many servers write calls' },
    ],
  },
  {
    name: 'ticket-news-of-other-organisers',
    breaks: 'An organiser is told of the visitors of another organiser’s sale.',
    rule: 'B69',
    file: 'packages/ledger/src/rooms/ticket-news/list-behind.sql',
    edits: [
      {
        from: '(coalesce(events.organization_id, rooms.organization_id) = webhooks.organization_id',
        to: "(users.role = 'organizer'",
      },
    ],
    caughtBy: [
      { file: 'packages/server/test/delivery/ticket-news.test.ts', title: '[B69] only to webhooks that name the type' },
    ],
  },
]
