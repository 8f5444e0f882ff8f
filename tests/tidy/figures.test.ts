import { expect, it } from 'vitest'
import { spreadTable } from '../../bench/support/spread.ts'
import { figuresBesideTheirSource, figuresFromNowhere, withFiguresOf } from './rules/figures.ts'
import { readSources } from './sources.ts'

const sources = readSources()
const RESULTS =
  '## Line\n\n| what | measured | figure |\n| --- | --- | --- |\n| joins ÷ no-op | 17,909/s (fast) | 0.62 |\n'

it('[H26] figures in the papers are those of the measurements', () => {
  const marks = sources.flatMap(({ path, text }) => (path.endsWith('.md') ? [...text.matchAll(/<!--= /g)] : []))
  expect(marks.length).toBeGreaterThan(20)
  expect(figuresBesideTheirSource(sources)).toEqual([])
  expect(figuresFromNowhere(sources)).toEqual([])
})

it('[H26 control] a different figure, or one without a measurement, is found', () => {
  const judge = (text: string) =>
    figuresBesideTheirSource([
      { path: 'bench/RESULTS.md', text: RESULTS },
      { path: 'docs/scaling.md', text },
    ])
  const [joins, ratio] = ['<!--= Line; joins; measured -->', '<!--= Line; joins; figure -->']
  expect(judge(`${joins}17,909/s<!--/--> and ${ratio}0.62<!--/-->`)).toEqual([])
  expect(judge(`${joins}17,90<!--/-->`)).toHaveLength(1)
  expect(judge(`${ratio}0.6<!--/-->`)).toHaveLength(1)
  expect(judge('<!--= Line; polls; figure -->0.62<!--/-->')).toHaveLength(1)
  const table = '| what | figure |\n| --- | --- |\n| joins | 10,300/s |\n'
  expect(figuresFromNowhere([{ path: 'docs/scaling.md', text: table }])).toEqual(['joins'])
})

it('[H26] the bench writes the figures between the marks and reports those it does not have', () => {
  const mark = '<!--= Line; joins; measured -->'
  expect(withFiguresOf(RESULTS, `${mark}1/s<!--/-->.`)).toEqual({ text: `${mark}17,909/s<!--/-->.`, missing: [] })
  const unknown = '<!--= Line; polls; figure -->0.62<!--/-->'
  expect(withFiguresOf(RESULTS, unknown)).toEqual({ text: unknown, missing: ['Line; polls; figure'] })
})

it('[H26] the core table shows median, lowest and highest of all rounds, and a missed bar says no', () => {
  const values = [5, 1, 4, 2, 3]
  const [, , ...rows] = spreadTable([
    { what: 'without a bar', values },
    { what: 'met', values, atLeast: 3 },
    { what: 'missed', values, digits: 2, atLeast: 3.01 },
  ])
  expect(rows).toEqual([
    '| without a bar | 3 | 1 | 5 |  |  |',
    '| met | 3 | 1 | 5 | ≥ 3 | yes |',
    '| missed | 3.00 | 1.00 | 5.00 | ≥ 3.01 | no |',
  ])
})
