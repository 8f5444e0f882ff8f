import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mergeMarkers, orphanPages, unseenPictures, versionsThatDiffer } from './rules/docs.ts'
import { readSources, root } from './sources.ts'

const sources = readSources()

it('[H40] links from README.md lead to every page of docs/', () => {
  expect(sources.filter(({ path }) => path.startsWith('docs/')).length).toBeGreaterThan(10)
  expect(orphanPages(sources)).toEqual([])
})

it('[H40 control] a page without a link is found, and so is one that only such a page links', () => {
  const readme = { path: 'README.md', text: 'See [the docs](docs/README.md).' }
  const index = { path: 'docs/README.md', text: '[one](one.md#part)' }
  const pages = ['one', 'two', 'three'].map((name) => ({ path: `docs/${name}.md`, text: '[three](three.md)' }))
  expect(orphanPages([readme, index, ...pages])).toHaveLength(1)
  expect(orphanPages([readme, { ...index, text: '' }, ...pages])).toHaveLength(3)
})

it('[H41] a page shows every picture in docs/screens', () => {
  const pictures = readdirSync(join(root, 'docs/screens')).map((name) => `docs/screens/${name}`)
  expect(pictures.length).toBeGreaterThan(5)
  expect(unseenPictures(sources, pictures)).toEqual([])
})

it('[H41 control] a picture that no page shows is found', () => {
  const page = { path: 'docs/tour.md', text: '![A seat map](screens/seats.png)' }
  expect(unseenPictures([page], ['docs/screens/seats.png', 'docs/screens/old.png'])).toHaveLength(1)
})

it('[H42] no file has an unresolved merge conflict', () => {
  expect(mergeMarkers(sources)).toEqual([])
})

it('[H42 control] the marks of a conflict are found', () => {
  const text = ['<<<<<<', '< ours\n', 'a\n', '=======\n', 'b\n', '>>>>>>', '> theirs\n'].join('')
  expect(mergeMarkers([{ path: 'spec/house.md', text }])).toHaveLength(1)
  const halfResolved = ['a\n', '=======', '\nb\n'].join('')
  expect(mergeMarkers([{ path: 'spec/house.md', text: halfResolved }])).toHaveLength(1)
})

it('[H43] all packages have one version', () => {
  expect(versionsThatDiffer(sources)).toEqual([])
})

it('[H43 control] a package with another version, and one that asks for another, are found', () => {
  const whole = { path: 'package.json', text: '{"version":"2.0.0"}' }
  const line = { path: 'packages/line/package.json', text: '{"version":"1.0.0"}' }
  const cli = {
    path: 'packages/cli/package.json',
    text: '{"version":"2.0.0","dependencies":{"@seatwise/line":"1.0.0"}}',
  }
  expect(versionsThatDiffer([whole, line, cli])).toHaveLength(2)
})
