import { testSeed } from '@seatwise/testbench'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { generousPath } from './generous-path.ts'
import { browse, RoomStandIn } from './room-stand-in.ts'

/** What hostile paths are made of. */
const PIECES = [
  ...[
    '/',
    '//',
    '\\',
    '%2f',
    '%5c',
    '%252f',
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '%252e',
    ';',
    ';x=y',
    '?',
    '#',
    '%',
    '%00',
    ' ',
  ],
  ...[
    'assets',
    'ASSETS',
    '%61ssets',
    'favicon.ico',
    'drop',
    'a.css',
    '\t',
    '\u00e4',
    '%c0%ae',
    '*',
    '@',
    ':',
    'http://x',
  ],
]
const path = fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((pieces) => `/assets/${pieces.join('')}`)
const anyPath = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''))

it('[G28] whatever needs no pass is below an ignored path for the most generous server, too', async () => {
  const room = await RoomStandIn.open()
  const guard = room.guard({ ignore: ['/favicon.ico', '/assets/'] })
  await guard.check(browse('/'))
  let ignored = 0
  fc.assert(
    fc.property(fc.oneof(path, anyPath), (url) => {
      const verdict = guard.check(browse(url))
      if (verdict instanceof Promise || verdict.kind === 'answer') return
      ignored += 1
      expect(generousPath(url)).toMatch(/^\/(favicon\.ico$|assets($|\/))/)
    }),
    { numRuns: 10_000, seed: testSeed() },
  )
  expect(ignored).toBeGreaterThan(50)
})
