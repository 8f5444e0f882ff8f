import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/places.mjs'

const REPOSITORY = 'https://github.com/seatwise/seatwise'

export function manifestOf(name) {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
}

/** What every published package says of itself, then what only this one says. */
export function writeManifest(folder, name, own) {
  const { name: published, version, description, license, keywords } = manifestOf(name)
  const manifest = {
    name: published,
    version,
    description,
    keywords,
    license,
    homepage: `${REPOSITORY}#readme`,
    bugs: `${REPOSITORY}/issues`,
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: `packages/${name}` },
    type: 'module',
    ...own,
    publishConfig: { access: 'public', provenance: true },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(root, 'packages', name, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}
