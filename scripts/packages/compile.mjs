import { join } from 'node:path'
import { giveUp } from '../support/give-up.mjs'
import { node26, root } from '../support/places.mjs'
import { runQuietly } from '../support/run.mjs'

/** One after the other: the product imports the libraries, so both compile them, and the libraries' own form must last. */
const PROJECTS = ['tsconfig.json', 'tsconfig.libraries.json']

/** JavaScript with source maps of every package, and declarations of those that others compile against. */
export async function compile(folder) {
  for (const project of PROJECTS) {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const config = join(root, 'scripts', 'packages', project)
    const { code, output } = await runQuietly(node26, [tsc, '-p', config, '--outDir', folder])
    if (code !== 0) giveUp(`The packages could not be compiled; this is what the compiler said:\n${output.trimEnd()}`)
  }
}
