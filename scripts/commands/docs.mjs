import { join } from 'node:path'
import { buildPages } from '../support/build-pages.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { node26, root } from '../support/places.mjs'
import { run } from '../support/run.mjs'

export async function docs(args) {
  await installPackages()
  await buildPages()
  process.exitCode = await run(node26, [join(root, 'site', 'build.ts'), ...args])
}
