import { join } from 'node:path'
import { buildPages } from '../support/build-pages.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { node26, root } from '../support/places.mjs'
import { run } from '../support/run.mjs'

export async function start(args) {
  await installPackages()
  await buildPages()
  const seatwise = join(root, 'packages', 'cli', 'bin', 'seatwise.mjs')
  // As the first line of that file says.
  process.exitCode = await run(node26, ['--max-semi-space-size=64', seatwise, 'serve', ...args])
}
