import type { Defect } from '../defect.ts'

/** Who is next, and who is on the floor. */
export const ORDER: readonly Defect[] = [
  {
    name: 'lua-away-not-counted-as-waiting',
    breaks: 'Absent visitors do not count for the longest line, which grows without bound.',
    rule: 'L6',
    file: 'packages/line/lua/join.lua',
    edits: [{ from: ' or waiting + away >= 2 * room.maxWaiting then', to: ' then' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[L6] away tickets leave room for as many present ones',
      },
    ],
  },
  {
    name: 'lua-one-guest-more',
    breaks: 'An address gets one guest place more than allowed.',
    rule: 'L8',
    file: 'packages/line/lua/join.lua',
    edits: [{ from: 'sharing >= request.limit_max', to: 'sharing > request.limit_max' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[L8] visitors who share a limit hold only so many live tickets',
      },
    ],
  },
  {
    name: 'lua-late-news-changes-stock',
    breaks: 'Late news of an old seat map raises the stock again, and too many visitors are let in.',
    rule: 'M24',
    file: 'packages/line/lua/settle.lua',
    edits: [
      {
        from: 'if version <= room.stockVersion then return end',
        to: 'if version == room.stockVersion then return end',
      },
    ],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[M24] [B13] older news never replaces newer, also about one ticket',
      },
    ],
  },
  {
    name: 'lua-hold-end-moves-back',
    breaks: 'Late news shortens a hold that was extended.',
    rule: 'M24',
    file: 'packages/line/lua/settle.lua',
    edits: [{ from: 'and until_ms ~= nil\n    and until_ms > deadline_of(number)', to: 'and until_ms ~= nil' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[M24] more time for the same seats counts within one version, less does',
      },
    ],
  },
  {
    name: 'lua-pass-of-another-identity',
    breaks: 'The gate lets a claim through with the pass of another visitor.',
    rule: 'L40',
    file: 'packages/line/lua/take.lua',
    edits: [{ from: "return identity == '-' or pass.identity == identity", to: 'return identity ~= nil' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[L40] [M21] on the floor the pass stays good, and is the account’s',
      },
    ],
  },
  {
    name: 'lua-repeat-takes-more',
    breaks: 'A claim repeated with a larger quantity passes the gate without being counted.',
    rule: 'M21',
    file: 'packages/line/lua/take.lua',
    edits: [
      {
        from: 'takes[i].operation == operation and takes[i].quantity == quantity',
        to: 'takes[i].operation == operation',
      },
    ],
    caughtBy: [
      { file: 'packages/line/test/redis/contract.test.ts', title: '[M21] [M22] the same operation is taken once' },
    ],
  },
  {
    name: 'lua-adopted-floor-keeps-guest',
    breaks: 'A visitor who signs in on the floor can no longer reserve: the pass still names the guest.',
    rule: 'L40',
    file: 'packages/line/lua/adopt.lua',
    edits: [{ from: '    pass.identity = identity\n', to: '' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[L40] [M21] on the floor the pass stays good, and is the account’s',
      },
    ],
  },
  {
    name: 'lua-moved-floor-keeps-fence',
    breaks: 'After a hand-over on the floor the pass of the first device still counts.',
    rule: 'L18',
    file: 'packages/line/lua/move.lua',
    edits: [{ from: '    pass.fence = fence_of(room.epoch, room.seq + 1)\n', to: '' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[L18] every kind of entry carries what changed, when, and by which',
      },
    ],
  },
  {
    name: 'lua-restore-future-number',
    breaks: 'A forged or replayed ticket token restores a number that was never drawn.',
    rule: 'L25',
    file: 'packages/line/lua/restore.lua',
    edits: [{ from: ' and number < room.baseNumber', to: '' }],
    caughtBy: [{ file: 'packages/line/test/redis/contract.test.ts', title: '[L25] restoring is refused for' }],
  },
  {
    name: 'lua-restore-at-the-mark',
    breaks: 'A ticket that the ledger has seen is restored a second time after a rebuild.',
    rule: 'L25',
    file: 'packages/line/lua/restore.lua',
    edits: [{ from: 'number > mark', to: 'number >= mark' }],
    caughtBy: [{ file: 'packages/line/test/redis/contract.test.ts', title: '[L25] restoring is refused for' }],
  },
  {
    name: 'lua-restore-ended-visitor',
    breaks: 'A visitor with an ended ticket comes back to the line after a rebuild.',
    rule: 'L25',
    file: 'packages/line/lua/restore.lua',
    edits: [
      {
        from: "    if not is_live(known) then return 'refused ' .. room.seq end\n    local is_back",
        to: '    local is_back',
      },
    ],
    caughtBy: [{ file: 'packages/line/test/redis/contract.test.ts', title: '[L25] restoring is refused for' }],
  },
  {
    name: 'lua-old-rate-counts-twice',
    breaks: 'A change of the rate counts the time before it at the new rate.',
    rule: 'M17',
    file: 'packages/line/lua/change.lua',
    edits: [{ from: '  refill_bucket(room)\n', to: '' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[M17] a change of rate refills the bucket at the old rate first',
      },
    ],
  },
  {
    name: 'lua-enter-drops-reservation-deadline',
    breaks: 'Entering ends a reservation that was made on admission too early or too late.',
    rule: 'M14',
    file: 'packages/line/lua/enter.lua',
    edits: [{ from: 'if pass.reserved_seats == 0 then call', to: 'if pass then call' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[M14] entering with a ticket that has a reservation already keeps the',
      },
    ],
  },
  {
    name: 'lua-skip-before-own-class',
    breaks: 'A priority visitor is placed before an earlier one of the same class.',
    rule: 'L19',
    file: 'packages/line/lua/includes/place.lua',
    edits: [{ from: 'if low <= last then', to: 'if low < last then' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/model.test.ts',
        title: '[L143] [L19] [L20] [L31]',
      },
    ],
  },
  {
    name: 'lua-unfollowed-log-admits',
    breaks: 'Visitors are let in while the ledger does not follow the log.',
    rule: 'M19',
    file: 'packages/line/lua/includes/admission.lua',
    edits: [{ from: "  if is_unfollowed(room) then return 'unfollowed' end\n", to: '' }],
    caughtBy: [
      {
        file: 'packages/line/test/redis/contract.test.ts',
        title: '[M19] no ticket is admitted while the ledger does not follow; expiry',
      },
    ],
  },
  {
    name: 'lua-grace-ends-at-once',
    breaks: 'A visitor who returns in the last moment of the grace time has lost the place.',
    rule: 'L63',
    file: 'packages/line/lua/includes/sweeping.lua',
    edits: [{ from: "local before = '(' .. (room.now", to: 'local before = (room.now' }],
    caughtBy: [{ file: 'packages/line/test/redis/contract.test.ts', title: '[L17] [L63] an away ticket expires' }],
  },
  {
    name: 'lua-outage-counts-as-silence',
    breaks: 'A crowd that no server could hear for a while is taken for absent when the servers are back.',
    rule: 'L62',
    file: 'packages/line/lua/includes/presence.lua',
    edits: [{ from: 'return room.now - room.attendedAt > UNATTENDED_MS and room.now or', to: 'return' }],
    caughtBy: [{ file: 'packages/line/test/redis/contract.test.ts', title: '[L62] silence does not count while' }],
  },
  {
    name: 'lua-absentees-of-full-batch-forgotten',
    breaks: 'Absent visitors beyond the batch of a sweep stay in the line until their heartbeat would be due again.',
    rule: 'L61',
    file: 'packages/line/lua/includes/sweeping.lua',
    edits: [{ from: 'oldest_waiting = math.min(oldest_waiting, seen)', to: 'oldest_waiting = math.huge' }],
    caughtBy: [{ file: 'packages/line/test/redis/contract.test.ts', title: '[L61] a sweep changes no more tickets' }],
  },
  {
    name: 'memory-outage-counts-as-silence',
    breaks: 'A crowd that the server could not hear for a while is taken for absent (in memory).',
    rule: 'L62',
    file: 'packages/line/src/memory/rules/presence.ts',
    edits: [
      { from: 'room.now - room.attendedAt > UNATTENDED_MS ? room.now : room.attendedSince', to: 'room.attendedSince' },
    ],
    caughtBy: [{ file: 'packages/line/test/memory/contract.test.ts', title: '[L62] silence does not count while' }],
  },
  {
    name: 'memory-restore-ended-identity',
    breaks: 'A visitor with an ended ticket comes back under an old token after a rebuild (in memory).',
    rule: 'L25',
    file: 'packages/line/src/memory/steps/restore.ts',
    edits: [{ from: ' &&\n    !room.endedIdentities.has(identity)', to: '' }],
    caughtBy: [{ file: 'packages/line/test/memory/contract.test.ts', title: '[L25] restoring is refused for' }],
  },
  {
    name: 'memory-adopt-keeps-limit',
    breaks: 'A guest who signed in still takes up a guest place of the address (in memory).',
    rule: 'L40',
    file: 'packages/line/src/memory/steps/adopt.ts',
    edits: [{ from: '  releaseLimit(room, ticket.limitKey)\n', to: '' }],
    caughtBy: [
      {
        file: 'packages/line/test/memory/contract.test.ts',
        title: '[L40] [L8] an adopted ticket no longer counts against the guests of its',
      },
    ],
  },
  {
    name: 'memory-take-counts-own-twice',
    breaks: 'A ticket that changes its claim is refused because its own claim is counted against it (in memory).',
    rule: 'M22',
    file: 'packages/line/src/memory/steps/take.ts',
    edits: [{ from: 'room.taken - costOf(takes, reservedSeats)', to: 'room.taken' }],
    caughtBy: [
      {
        file: 'packages/line/test/memory/contract.test.ts',
        title: '[M22] several claims of one ticket cost the largest, beyond the least',
      },
    ],
  },
  {
    name: 'memory-promise-broken',
    breaks: 'A claim takes the seats that other visitors on the floor were promised (in memory).',
    rule: 'M21',
    file: 'packages/line/src/memory/steps/take.ts',
    edits: [
      { from: 'const promisedToOthers = room.promised - (hasPromise ? 1 : 0)', to: 'const promisedToOthers = 0' },
    ],
    caughtBy: [
      {
        file: 'packages/line/test/memory/contract.test.ts',
        title: '[M21] [B11] a claim leaves one seat for every other ticket on the floor',
      },
    ],
  },
  {
    name: 'memory-new-rate-for-old-time',
    breaks: 'A change of the rate counts the time before it at the new rate (in memory).',
    rule: 'M17',
    file: 'packages/line/src/memory/rules/bucket.ts',
    edits: [{ from: 'refill(bucket, now, from)', to: 'refill(bucket, now, to)' }],
    caughtBy: [
      {
        file: 'packages/line/test/memory/contract.test.ts',
        title: '[M17] a change of rate refills the bucket at the old rate first',
      },
    ],
  },
  {
    name: 'memory-adopted-identity-not-kept',
    breaks: 'After signing in, a visitor is not found under the account and draws a second ticket (in memory).',
    rule: 'L40',
    file: 'packages/line/src/memory/steps/adopt.ts',
    edits: [{ from: '  room.identities.set(toIdentity, ticket)\n', to: '' }],
    caughtBy: [
      {
        file: 'packages/line/test/memory/contract.test.ts',
        title: '[L40] a guest’s ticket is the account’s',
      },
    ],
  },
  {
    name: 'memory-extension-moves-nothing',
    breaks: 'The extension is lost as soon as a reservation ends (in memory).',
    rule: 'L18',
    file: 'packages/line/src/memory/steps/extend.ts',
    edits: [{ from: '    floor.sessionDeadline += request.byMs\n', to: '' }],
    caughtBy: [
      {
        file: 'packages/line/test/memory/contract.test.ts',
        title: '[L18] every kind of entry carries what changed, when, and by which',
      },
    ],
  },
]
