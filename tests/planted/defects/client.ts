import type { Defect } from '../defect.ts'

/** What a device asks for, and what it shows. */
export const CLIENT: readonly Defect[] = [
  {
    name: 'client-key-for-another-body',
    breaks: 'A buyer who changes the choice after a lost answer is given the first choice again, or refused.',
    rule: 'K23',
    file: 'packages/client/src/device/kept.ts',
    edits: [{ from: 'if (begun?.body === body) return begun.key', to: 'if (begun !== undefined) return begun.key' }],
    caughtBy: [{ file: 'packages/client/test/kept.test.ts', title: '[K23] a call goes on under its key' }],
  },
  {
    name: 'client-move-counted-twice',
    breaks: 'A move that a poll already told is subtracted again: the visitor believes to be nearer.',
    rule: 'K10',
    file: 'packages/client/src/place/rank.ts',
    edits: [{ from: 'epoch !== shown.epoch || shown.seq > from', to: 'epoch !== shown.epoch' }],
    caughtBy: [
      {
        file: 'packages/client/test/rank.test.ts',
        title: '[K10] whatever is told in whatever order, a position rises only',
      },
    ],
  },
  {
    name: 'client-leavers-behind-count',
    breaks: 'Visitors who leave behind one are counted as if they had stood before.',
    rule: 'K10',
    file: 'packages/client/src/place/rank.ts',
    edits: [
      { from: '} else if (at < moved) moved -= Math.min(-by, moved - at)', to: '} else if (at <= moved) moved -= -by' },
    ],
    caughtBy: [{ file: 'packages/client/test/rank.test.ts', title: '[K10] a visitor who comes in exactly' }],
  },
  {
    name: 'client-old-epoch-believed',
    breaks: 'An answer from before a rebuild replaces a newer position.',
    rule: 'K10',
    file: 'packages/client/src/place/rank.ts',
    edits: [{ from: 'told.seq >= known.seq : told.epoch > known.epoch', to: 'told.seq >= known.seq : true' }],
    caughtBy: [
      {
        file: 'packages/client/test/rank.test.ts',
        title: '[K10] whatever is told in whatever order, a position rises only',
      },
    ],
  },
]
