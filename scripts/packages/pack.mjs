import { join } from 'node:path'
import { giveUp } from '../support/give-up.mjs'
import { runQuietly } from '../support/run.mjs'

/** Makes the tarball of a folder, as npm would when publishing it, and says its path. */
export async function pack(folder, destination) {
  const args = ['pack', folder, '--pack-destination', destination, '--ignore-scripts', '--json', '--loglevel=error']
  const { code, output } = await runQuietly('npm', args)
  if (code !== 0) giveUp(`npm pack failed in ${folder}; this is what it said:\n${output.trimEnd()}`)
  const said = JSON.parse(output.slice(output.search(/^[[{]/m)))
  const [{ filename }] = Object.values(said)
  return join(destination, filename)
}
