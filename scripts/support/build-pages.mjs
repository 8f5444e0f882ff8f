import { join } from 'node:path'
import { giveUp } from './give-up.mjs'
import { node26, root } from './places.mjs'
import { runQuietly } from './run.mjs'

/** Builds what browsers load, unless that was done from the same sources before. Takes a second or two. */
export async function buildPages() {
  const { code, output } = await runQuietly(node26, [join(root, 'packages', 'web', 'src', 'build', 'build-pages.ts')])
  if (code !== 0) giveUp(`The pages could not be built; this is what was said:\n${output.trimEnd()}`)
  if (output.trim() !== '') console.log(output.trimEnd())
}
