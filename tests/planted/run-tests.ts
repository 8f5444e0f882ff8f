import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectFields, shape, startChild } from '@seatwise/testbench'
import type { NamedTest } from './defect.ts'

/** How one test ended. */
export interface Outcome {
  readonly file: string
  readonly title: string
  readonly status: string
}

/** What Vitest writes with `--reporter=json`, as far as we look at it. */
const ASSERTION = shape.fields({ title: shape.text, status: shape.text })
const WRITTEN = {
  testResults: shape.listOf(shape.fields({ name: shape.text, assertionResults: shape.listOf(ASSERTION) })),
}

interface RunOptions {
  /** After the first failure the rest is skipped. */
  readonly bail: boolean
  readonly timeoutMs: number
  /** Beside that of this process. */
  readonly env: Readonly<Record<string, string>>
}

/** Suites that run on both ledgers notice a defect on either, and PostgreSQL is there at once. */
const NOT_EMBEDDED = String.raw`^(?!.*\(pglite\)).*`

/** Runs the named tests, and only these, in a copy of the tree. A run that does not end in time is stopped. */
export async function runTests(folder: string, tests: readonly NamedTest[], options: RunOptions): Promise<Outcome[]> {
  const outputFile = join(folder, 'outcomes.json')
  const { SEATWISE_LONG: _, ...env } = process.env
  const child = await startChild(
    'vitest with a planted defect',
    process.execPath,
    [
      join(folder, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--reporter=json', `--outputFile=${outputFile}`, `--bail=${options.bail ? 1 : 0}`],
      ...['-t', `${NOT_EMBEDDED}(${tests.map(({ title }) => escapePattern(title)).join('|')})`],
      ...new Set(tests.map(({ file }) => file)),
    ],
    { cwd: folder, env: { ...env, ...options.env } },
  )
  const impatience = setTimeout(() => void child.stop('SIGINT'), options.timeoutMs)
  await child.exited
  clearTimeout(impatience)
  return readOutcomes(outputFile, folder, child.output())
}

function readOutcomes(outputFile: string, folder: string, output: string): Outcome[] {
  try {
    const { testResults } = expectFields(JSON.parse(readFileSync(outputFile, 'utf8')), WRITTEN)
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ title, status }) => ({ file: name.slice(folder.length + 1), title, status })),
    )
  } catch (error) {
    throw new Error(`Vitest wrote no outcomes. It said:\n${output.slice(-4_000)}`, { cause: error })
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}
