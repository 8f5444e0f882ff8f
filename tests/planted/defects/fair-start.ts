import type { Defect } from '../defect.ts'

const DRAW = 'packages/server/test/rooms/fair-start/draw.test.ts'

/** Defects in the draw of a line and in those who check it. */
export const FAIR_START: readonly Defect[] = [
  {
    name: 'draw-without-later-codes',
    breaks: 'A ticket whose code was entered while it waited is drawn in its old class.',
    rule: 'J6',
    file: 'packages/ledger/src/rooms/fair-start/read-drawn-tickets.sql',
    edits: [{ from: "'joined', 'restored', 'classed'", to: "'joined', 'restored'" }],
    caughtBy: [{ file: DRAW, title: '[J5] [J6] [J8] those who wait' }],
  },
  {
    name: 'seed-without-root',
    breaks: 'The seed does not depend on the sealed tickets: the operator knows the order before the line is sealed.',
    rule: 'J6',
    file: 'packages/server/src/rooms/fair-start/draw-order.ts',
    edits: [{ from: '.update(secret).update(root)', to: '.update(secret)' }],
    caughtBy: [{ file: DRAW, title: '[J5] [J6] [J8] those who wait' }],
  },
  {
    name: 'draw-gives-up-halfway',
    breaks: 'After an error between two slices of places the draw is not begun again, and the line never opens.',
    rule: 'J9',
    file: 'packages/server/src/rooms/fair-start/conduct-draw.ts',
    edits: [
      {
        from: 'if (!isOpen()) return\n      if (!failing) parts.log.error',
        to: 'if (err !== null) return\n      if (!failing) parts.log.error',
      },
    ],
    caughtBy: [
      { file: 'packages/server/test/rooms/fair-start/interrupted.test.ts', title: '[J9] given up once at every point' },
    ],
  },
]
