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
  {
    name: 'client-ably-gap-not-repaired',
    breaks: 'A visitor whose connection to Ably lost messages learns of the turn minutes later.',
    rule: 'K26',
    file: 'packages/client/src/network/listen-by-ably.ts',
    edits: [{ from: "if (current !== 'attached' || resumed) return", to: "if (current === 'attached') return" }],
    caughtBy: [
      {
        file: 'packages/client/test/through-ably.test.ts',
        title: '[K26] what may have been missed is repaired by a poll',
      },
    ],
  },
  {
    name: 'ably-names-published',
    breaks: 'Every listener of a room gets the names of visitors, asked for or not.',
    rule: 'U14',
    file: 'packages/server/src/push/news/presence-news.ts',
    edits: [
      {
        from: 'return this.#readShown !== null && this.#room.settings.presence',
        to: 'return this.#room.settings.presence',
      },
    ],
    caughtBy: [{ file: 'packages/server/test/push/ably.test.ts', title: '[U14] names are not published' }],
  },
  {
    name: 'presence-of-the-withdrawn',
    breaks: 'A visitor who took the name back is still shown by it to those who come later.',
    rule: 'U14',
    file: 'packages/server/src/push/news/presence-news.ts',
    edits: [{ from: 'const told = said.has(number) ? said.get(number) : shown', to: 'const told = shown' }],
    caughtBy: [
      {
        file: 'packages/server/test/push/channels.test.ts',
        title: '[U14] what a visitor said last about being shown counts',
      },
    ],
  },
  {
    name: 'ably-presence-for-all',
    breaks: 'A visitor who did not agree to be shown may enter the presence of the room.',
    rule: 'U29',
    file: 'packages/server/src/push/ably/ably-realtime.ts',
    edits: [{ from: "shown === null ? ['subscribe'] : ['subscribe', 'presence']", to: "['subscribe', 'presence']" }],
    caughtBy: [
      { file: 'packages/server/test/push/ably.test.ts', title: '[U29] entering the presence of the public channel' },
    ],
  },
]
