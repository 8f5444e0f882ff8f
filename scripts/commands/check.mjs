import { join } from 'node:path'
import { checkLockFile } from '../support/check-lock-file.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { node26, root } from '../support/places.mjs'
import { runQuietly } from '../support/run.mjs'

const CHECKS = [
  { name: 'types', act: () => tool('typescript/bin/tsc', ['-p', '.']) },
  { name: 'lint and format', act: lintAndFormat },
  { name: 'unused code', act: () => tool('knip/bin/knip.js', ['--no-progress', '--no-config-hints']) },
  { name: 'package lock', act: checkLockFile },
]

/** Runs every static check, all at the same time and even if one fails, and says how each went. */
export async function check() {
  await installPackages()
  const outcomes = await Promise.all(CHECKS.map(timed))
  for (const { name, code, output, seconds } of outcomes) {
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`)
    if (code !== 0) console.log(output.trimEnd())
  }
  process.exitCode = outcomes.some(({ code }) => code !== 0) ? 1 : 0
}

async function timed({ name, act }) {
  const startedAt = performance.now()
  const { code, output } = await act()
  return { name, code, output, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) }
}

/** Biome ends with 0 when it has only hints; here a hint is an error, or hints would be ignored. */
async function lintAndFormat() {
  const { code, output } = await tool('@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '--colors=off', '.'])
  return { code: /^Found \d+ infos?\.$/m.test(output) ? 1 : code, output }
}

function tool(path, args) {
  return runQuietly(node26, [join(root, 'node_modules', path), ...args])
}
