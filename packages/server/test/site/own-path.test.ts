import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ownPath } from '../../src/site/pages/own-path.ts'

const SITE = 'https://tickets.example'

/** Where a browser goes that is redirected there by a page of the site. */
const goal = (path: string): URL => new URL(path, `${SITE}/sign-in?next=x`)

it.each([
  '/.//evil.example',
  '/./%2e//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '//evil.example',
  '/\\evil.example',
  '/.\\/evil.example',
  '/./\\evil.example',
  'https://evil.example/',
  '\t//evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
])('[X20] %j leads to no other site', (text) => {
  expect(goal(ownPath(text)).origin).toBe(SITE)
})

it('[X20] no text redirects to another site, and the same text always gives the same path', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    ':',
    '@',
    '?',
    '#',
    'a',
    'evil.example',
    '\t',
  )
  const seed = Date.now()
  const property = fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 12 }), (pieces) => {
    const path = ownPath(`/${pieces.join('')}`)
    expect(goal(path).origin).toBe(SITE)
    expect(ownPath(path)).toBe(path)
  })
  // fast-check prints the seed of a failure.
  fc.assert(property, { numRuns: 20_000, seed })
})

it('[X20 control] a path of this site is kept, with its query and fragment', () => {
  for (const path of [
    '/',
    '/events/1/wait?to=%2Fdrop',
    '/checkout/a-b',
    '/reservations?x=//y',
    '/console/events/1#trail',
  ])
    expect(ownPath(path)).toBe(path)
})
