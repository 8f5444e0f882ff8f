import type { Defect } from '../defect.ts'

/** Who a guarded site lets in. */
export const GUARD: readonly Defect[] = [
  {
    name: 'guard-older-fence-counts',
    breaks: 'After a newer pass was revoked, an older pass of the same ticket lets in again.',
    rule: 'G27',
    file: 'packages/guard/src/room/revocations.ts',
    edits: [
      { from: 'fence <= (revoked.get(ticketId)?.fence ?? -1)', to: 'fence === (revoked.get(ticketId)?.fence ?? -1)' },
    ],
    caughtBy: [{ file: 'packages/guard/test/session.test.ts', title: '[G27] a revoked pass takes the older ones' }],
  },
  {
    name: 'guard-news-lost-on-the-way',
    breaks: 'The age of the news is counted from the answer, so that revoked passes count longer than 5 s.',
    rule: 'G27',
    file: 'packages/guard/src/room/revocations.ts',
    edits: [{ from: 'heardAt = askedAt', to: 'heardAt = now()' }],
    caughtBy: [{ file: 'packages/guard/test/session.test.ts', title: '[G27] news is as old as the question' }],
  },
  {
    name: 'guard-older-session-counts',
    breaks: 'One pass opens any number of browsers.',
    rule: 'G27',
    file: 'packages/guard/src/guard.ts',
    edits: [{ from: 'return known <= enteredAt', to: 'return true' }],
    caughtBy: [{ file: 'packages/guard/test/session.test.ts', title: '[G27] a pass opens one browser' }],
  },
  {
    name: 'guard-expired-session',
    breaks: 'A session of the guard does not end with its pass.',
    rule: 'G24',
    file: 'packages/guard/src/guard.ts',
    edits: [{ from: 'session.expiresAt > now() && !revocations', to: '!revocations' }],
    caughtBy: [
      {
        file: 'packages/guard/test/session.test.ts',
        title: '[G24] it is for the browser only, and ends with the pass',
      },
    ],
  },
  {
    name: 'guard-pass-of-another-room',
    breaks: 'A pass of another room lets in.',
    rule: 'G23',
    file: 'packages/guard/src/session/passes.ts',
    edits: [{ from: 'iss !== ISSUER || aud !== room || ', to: 'iss !== ISSUER || ' }],
    caughtBy: [
      { file: 'packages/guard/test/guard.test.ts', title: '[G23] what is not a pass of this room opens nothing' },
    ],
  },
  {
    name: 'guard-any-token-type',
    breaks: 'An e-ticket, signed by the same keys, is taken for a pass.',
    rule: 'G23',
    file: 'packages/guard/src/session/passes.ts',
    edits: [{ from: "alg === 'EdDSA' && typ === TYPE && ", to: "alg === 'EdDSA' && " }],
    caughtBy: [
      { file: 'packages/guard/test/guard.test.ts', title: '[G23] what is not a pass of this room opens nothing' },
    ],
  },
  {
    name: 'guard-ignores-prefix',
    breaks: 'Leaving out one path leaves out every path that begins with it.',
    rule: 'G28',
    file: 'packages/guard/src/normal-path.ts',
    edits: [
      {
        from: 'exact.has(path) || folders.some((folder) => path.startsWith(folder))',
        to: '[...exact, ...folders].some((listed) => path.startsWith(listed))',
      },
    ],
    caughtBy: [{ file: 'packages/guard/test/room-away.test.ts', title: '[G28] listed paths, and what is below' }],
  },
  {
    name: 'guard-next-page-lost',
    breaks: 'Of a long list of revoked passes only the first page is read.',
    rule: 'G27',
    file: 'packages/guard/src/room/revocations.ts',
    edits: [{ from: 'if (answer.items.length < PAGE_LENGTH) break', to: 'break' }],
    caughtBy: [
      { file: 'packages/guard/test/session.test.ts', title: '[G27] a guard that starts late reads all pages' },
    ],
  },
]
