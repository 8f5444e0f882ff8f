import type { Defect } from '../defect.ts'

const CROWD = 'packages/server/src/rooms/crowd.ts'
const CROWD_TEST = 'packages/server/test/rooms/crowd.test.ts'
const KNOWN = 'packages/server/src/rooms/picture/known-tickets.ts'
const KNOWN_TEST = 'packages/server/test/rooms/picture/known-tickets.test.ts'
const CHALLENGES = 'packages/server/src/rooms/challenge/challenges.ts'
const PROOFS_TEST = 'packages/server/test/rooms/challenge/proofs.test.ts'

/** Defects that show only when a crowd comes at once, or when visitors reach a server that never saw them. */
export const RUSH: readonly Defect[] = [
  {
    name: 'quiet-hour-as-capacity',
    breaks: 'After a quiet hour the server takes itself for slow, and refuses most of the crowd that it could serve.',
    rule: 'R80',
    file: CROWD,
    edits: [{ from: 'if (window.isSaturated) this.#capacity', to: 'if (ms > 0) this.#capacity' }],
    caughtBy: [{ file: CROWD_TEST, title: '[R80] a quiet hour says nothing about the capacity' }],
  },
  {
    name: 'starved-server-refuses-all',
    breaks: 'A server that was starved for a moment refuses every join, and so never finds out that it is fast again.',
    rule: 'R80',
    file: CROWD,
    edits: [{ from: 'const WAITING_LEAST = 500', to: 'const WAITING_LEAST = 0' }],
    caughtBy: [{ file: CROWD_TEST, title: '[R80] a starved server still lets one call of joins wait' }],
  },
  {
    name: 'crowd-returns-together',
    breaks: 'All refused visitors are told to return at the same second, and are refused again.',
    rule: 'R81',
    file: CROWD,
    edits: [{ from: 'this.#lastReturnMs + PLACES_PER_RETURN / this.#capacity', to: 'this.#lastReturnMs' }],
    caughtBy: [{ file: CROWD_TEST, title: '[R81] a crowd that is refused together returns one after the other' }],
  },
  {
    name: 'replies-in-small-portions-when-late',
    breaks: 'A server that is behind reads ever more requests between the replies that it owes.',
    rule: 'L90',
    file: 'packages/line/src/batcher/batcher.ts',
    edits: [{ from: 'if (now() - beganMs > LONG_TURN_MS) portion *= 2', to: '' }],
    caughtBy: [{ file: 'packages/line/test/batcher/batcher.test.ts', title: '[L90] with turns of ' }],
  },
  {
    name: 'overtaken-page-believed',
    breaks: 'A visitor who was let in or has left is told that they wait, because an old page of the store says so.',
    rule: 'R50',
    file: KNOWN,
    edits: [
      { from: '    return (this.#recent.get(number) ?? this.#earlier.get(number) ?? 0) <= seq', to: '    return true' },
    ],
    caughtBy: [{ file: KNOWN_TEST, title: '[R50] [R12] whatever overtakes what' }],
  },
  {
    name: 'away-ticket-forgotten',
    breaks: 'Each visitor who comes back costs every server a question to the store.',
    rule: 'R50',
    file: KNOWN,
    edits: [{ from: 'this.#generations[number] = known | AWAY', to: 'this.#generations[number] = 0' }],
    caughtBy: [{ file: KNOWN_TEST, title: '[R50] a ticket that was away keeps its generation' }],
  },
  {
    name: 'lua-proof-spent-twice',
    breaks: 'A bot solves one challenge and draws as many tickets as it likes.',
    rule: 'L91',
    file: 'packages/line/lua/join.lua',
    edits: [{ from: "spent_until >= request.proof_until and 'proof_spent' or nil", to: 'nil' }],
    caughtBy: [
      { file: 'packages/line/test/redis/contract.test.ts', title: '[L91] what is good once draws one ticket' },
    ],
  },
  {
    name: 'proof-of-another-room',
    breaks: 'Proofs of a room that nobody wants to enter are good for the one that everybody does.',
    rule: 'R83',
    file: CHALLENGES,
    edits: [
      { from: 'roomId !== room.id || ', to: '' },
      { from: '[room.id, room.epoch]', to: '[room.epoch]' },
    ],
    caughtBy: [{ file: PROOFS_TEST, title: '[R83] a proof of another room does not count' }],
  },
  {
    name: 'proof-without-end',
    breaks: 'Proofs are collected for days before a sale, and still count.',
    rule: 'R83',
    file: CHALLENGES,
    edits: [{ from: ' || Number(expires) * 1_000 <= now()', to: '' }],
    caughtBy: [
      {
        file: 'packages/server/test/rooms/challenge/challenges.test.ts',
        title: '[R83] a proof counts for five minutes',
      },
    ],
  },
]
