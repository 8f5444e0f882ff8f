import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compile } from '../packages/compile.mjs'
import { stageLibrary } from '../packages/library.mjs'
import { pack } from '../packages/pack.mjs'
import { stageProduct } from '../packages/product.mjs'
import { buildPages } from '../support/build-pages.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { root } from '../support/places.mjs'

/** Leaves the folders `client`, `guard` and `seatwise`, and a tarball of each. The same sources give the same bytes. */
export async function build([place = 'dist']) {
  await installPackages()
  await buildPages()
  const dist = resolve(root, place)
  rmSync(dist, { recursive: true, force: true })
  const compiled = join(dist, 'compiled')
  await compile(compiled)
  const folders = [
    stageLibrary('client', compiled, dist),
    stageLibrary('guard', compiled, dist),
    stageProduct(compiled, dist),
  ]
  rmSync(compiled, { recursive: true })
  for (const folder of folders) console.log(await pack(folder, dist))
}
