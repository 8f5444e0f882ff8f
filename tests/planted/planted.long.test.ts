import { lentStores } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Defect } from './defect.ts'
import { DEFECTS } from './defects/index.ts'
import { Lanes } from './lanes.ts'
import { runTests } from './run-tests.ts'
import { formatTable, judge, unsound, type Verdict } from './verdict.ts'

/** Copies of the tree, each with its own run of Vitest: as many as a small machine has cores. */
const LANES = 2
/** One run. The slowest takes a tenth of this on two quiet cores. */
const RUN_MS_MAX = 300_000
/** A defect waits until a copy is free, and its tests may have to be run without it first. */
const DEFECT_MS_MAX = 8 * RUN_MS_MAX

describe('planted defects', () => {
  const verdicts: Verdict[] = []
  const soundness = new Map<string, Promise<string[]>>()
  let lanes: Lanes

  beforeAll(async () => {
    lanes = await Lanes.open(LANES)
  })
  afterAll(async () => {
    await lanes.close()
    console.info(formatTable(verdicts))
  })

  /** What is wrong with the named tests of a file in a tree without defects. Each file is run once for all defects. */
  function unsoundTestsOf(file: string): Promise<string[]> {
    const known = soundness.get(file)
    if (known !== undefined) return known
    const named = DEFECTS.flatMap(({ caughtBy }) => caughtBy).filter((one) => one.file === file)
    const looked = lanes.use(async ({ folder }) =>
      unsound(named, await runTests(folder, named, { bail: false, timeoutMs: RUN_MS_MAX, env: lentStores() })),
    )
    soundness.set(file, looked)
    return looked
  }

  async function tryDefect(defect: Defect): Promise<Verdict> {
    return await lanes.use(async (copy) => {
      const startedAt = performance.now()
      // Tables that were made without the defect would hide it.
      const env = defect.file.includes('/migrations/') ? {} : lentStores()
      const options = { bail: true, timeoutMs: RUN_MS_MAX, env }
      const outcomes = await copy.with(defect, () => runTests(copy.folder, defect.caughtBy, options))
      return judge(defect, outcomes, (performance.now() - startedAt) / 1_000)
    })
  }

  test.concurrent.each(DEFECTS)(
    '[V22] $name is caught: $breaks',
    async (defect) => {
      const files = [...new Set(defect.caughtBy.map(({ file }) => file))]
      expect((await Promise.all(files.map(unsoundTestsOf))).flat()).toEqual([])
      const verdict = await tryDefect(defect)
      verdicts.push(verdict)
      expect(verdict.result, verdict.why).toBe('caught')
    },
    DEFECT_MS_MAX,
  )
})
