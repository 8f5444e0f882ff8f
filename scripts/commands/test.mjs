import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPages } from '../support/build-pages.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { installSystemPackages } from '../support/install-system-packages.mjs'
import { node26, root } from '../support/places.mjs'
import { run } from '../support/run.mjs'

/** Everything but `--long` goes to Vitest. The last line printed is `N passed, N failed`. */
export async function test(args) {
  await installPackages()
  await installSystemPackages()
  await buildPages()

  const folder = mkdtempSync(join(tmpdir(), 'seatwise-test-'))
  const countsFile = join(folder, 'counts.json')
  const code = await run(
    node26,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...vitestArguments(args)],
    {
      TEST_COUNTS_FILE: countsFile,
      ...(args.includes('--long') ? { SEATWISE_LONG: '1' } : {}),
    },
  )
  const { passed, failed } = honestCounts(readCounts(countsFile), code)
  rmSync(folder, { recursive: true })

  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

function vitestArguments(args) {
  const own = args.filter((argument) => argument !== '--long')
  const choosesReporter = own.some((argument) => argument.startsWith('--reporter'))
  const counter = `--reporter=${join(root, 'scripts', 'support', 'count-reporter.mjs')}`
  return [...(choosesReporter ? [] : ['--reporter=default']), counter, ...own]
}

function readCounts(countsFile) {
  try {
    return JSON.parse(readFileSync(countsFile, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return { passed: 0, failed: 0 } // Vitest ended before it had a result; see below.
    throw error
  }
}

/** Vitest may fail without a failed test: a leak found at the end, a broken configuration, nothing to run, a kill. */
function honestCounts(counts, code) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}
