import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rulesIn, titlesIn } from '../tidy/rules/specification.ts'
import { readSources } from '../tidy/sources.ts'
import { type Defect, plant } from './defect.ts'
import { DEFECTS } from './defects/index.ts'
import { Lanes } from './lanes.ts'
import { root, type TreeCopy } from './tree-copy.ts'
import { formatTable, judge, unsound } from './verdict.ts'

const SAMPLE: Defect = {
  name: 'sample',
  breaks: 'One is taken for two.',
  rule: 'V22',
  file: 'packages/none/src/one.ts',
  edits: [{ from: 'one', to: 'two' }],
  caughtBy: [{ file: 'packages/none/test/one.test.ts', title: '[V22] one' }],
}

describe('the list of planted defects', () => {
  const sources = readSources()

  test('[V23] every defect applies exactly once to its file', () => {
    expect(DEFECTS.length).toBeGreaterThan(40)
    const problems = DEFECTS.flatMap((defect) => {
      if (!/^packages\/[^/]+\/(src|lua|migrations)\//.test(defect.file)) return [`${defect.name} is not in the product`]
      if (!existsSync(join(root, defect.file))) return [`${defect.name}: there is no ${defect.file}`]
      const planted = plant(defect, readFileSync(join(root, defect.file), 'utf8'))
      return 'problem' in planted ? [planted.problem] : []
    })
    expect(problems).toEqual([])
  })

  test('[V23] every defect has a name of its own, breaks a rule that is stated, and names tests that exist', () => {
    const rules = new Set(rulesIn(sources).map(({ id }) => id))
    const textOf = new Map(sources.map(({ path, text }) => [path, text]))
    const titles = titlesIn(sources).map(({ title, path }) => ({ title, text: textOf.get(path) ?? '' }))
    const names = DEFECTS.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    const problems = DEFECTS.flatMap(({ name, rule, caughtBy }) => [
      ...(rules.has(rule) ? [] : [`${name}: no file in spec/ states ${rule}`]),
      ...(caughtBy.length > 0 ? [] : [`${name} names no test`]),
      ...caughtBy.filter(({ file }) => !existsSync(join(root, file))).map(({ file }) => `${name}: there is no ${file}`),
      ...caughtBy
        .filter(({ title }) => !titles.some((known) => isBeginning(title, known.title, known.text)))
        .map(({ title }) => `${name}: no test is called "${title}…"`),
    ])
    expect(problems).toEqual([])
  })

  test('[V23 control] a defect is found when its code moved, or it applies twice or changes nothing', () => {
    expect(plant(SAMPLE, 'one and all')).toEqual({ text: 'two and all' })
    expect(plant(SAMPLE, 'all')).toEqual({ problem: expect.stringContaining('sample: "one" is no longer there') })
    expect(plant(SAMPLE, 'one by one')).toEqual({ problem: expect.stringContaining('is there 2 times') })
    const idle = { ...SAMPLE, edits: [{ from: 'one', to: 'one' }] }
    expect(plant(idle, 'one')).toEqual({ problem: expect.stringContaining('changes nothing') })
  })
})

/**
 * Whether a title begins so. Where the title has a placeholder that is filled in when it runs, what fills it must begin a
 * quoted text of the same file, such as a case of a table.
 */
function isBeginning(title: string, written: string, text: string): boolean {
  const [literal = ''] = written.split(/\$\{|%[a-z.]|\$\w/)
  if (written.startsWith(title)) return true
  if (literal === written || !title.startsWith(literal)) return false
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${title.slice(literal.length)}`))
}

describe('judging a run', () => {
  const file = 'packages/none/test/one.test.ts'

  test('[V22 control] only the failure of a named test counts as caught', () => {
    const failed = { file, title: '[V22] one is not two', status: 'failed' }
    expect(judge(SAMPLE, [failed], 1).result).toBe('caught')
    for (const outcomes of [
      [],
      [{ ...failed, status: 'passed' }],
      [{ ...failed, status: 'skipped' }],
      [{ ...failed, title: '[V22] another' }],
      [{ ...failed, file: 'packages/none/test/another.test.ts' }],
    ]) {
      expect(judge(SAMPLE, outcomes, 1).result).toBe('missed')
    }
    expect(formatTable([judge(SAMPLE, [failed], 1)])).toContain('1 of 1 planted defects were caught')
  })

  test('[V22 control] a named test that fails, or does not run, without a defect is found', () => {
    const passed = { file, title: '[V22] one', status: 'passed' }
    expect(unsound(SAMPLE.caughtBy, [passed])).toEqual([])
    expect(unsound(SAMPLE.caughtBy, [{ ...passed, status: 'failed' }])).toHaveLength(1)
    expect(unsound(SAMPLE.caughtBy, [{ ...passed, status: 'skipped' }])).toHaveLength(1)
    expect(unsound(SAMPLE.caughtBy, [])).toHaveLength(1)
    // Of a suite that runs on both ledgers one is enough.
    expect(unsound(SAMPLE.caughtBy, [passed, { ...passed, status: 'skipped' }])).toEqual([])
  })

  test('[V22] a defect is in the copy of the tree only, and only while it is tried', async () => {
    const [defect] = DEFECTS
    if (defect === undefined) throw new Error('There are no defects')
    const lanes = await Lanes.open(1)
    const original = readFileSync(join(root, defect.file), 'utf8')
    const inCopy = ({ folder }: TreeCopy): string => readFileSync(join(folder, defect.file), 'utf8')
    try {
      await lanes.use(async (copy) => {
        await copy.with(defect, async () => expect(inCopy(copy)).not.toBe(original))
        expect(inCopy(copy)).toBe(original)
      })
      expect(readFileSync(join(root, defect.file), 'utf8')).toBe(original)
    } finally {
      await lanes.close()
    }
  })
})
