import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nameEmitted } from './emitted.mjs'
import { writeManifest } from './manifest.mjs'

/** A package that imports nothing: its modules as they are, one door, declarations beside them. */
export function stageLibrary(name, compiled, dist) {
  const source = join(compiled, 'packages', name, 'src')
  const folder = join(dist, name)
  for (const path of readdirSync(source, { recursive: true }).toSorted()) {
    if (!/\.(js|d\.ts|map)$/.test(path)) continue
    const text = readFileSync(join(source, path), 'utf8')
    const target = join(folder, 'lib', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, path.endsWith('.map') ? withoutPlace(text, path) : nameEmitted(text, join(source, path)))
  }
  writeManifest(folder, name, {
    sideEffects: false,
    exports: {
      '.': { types: './lib/index.d.ts', default: './lib/index.js' },
      './package.json': './package.json',
    },
    main: './lib/index.js',
    types: './lib/index.d.ts',
    files: ['lib'],
    engines: { node: '>=20' },
  })
  return folder
}

/** The map carries its source, and names it by the path it would have beside the module. */
function withoutPlace(text, path) {
  const map = JSON.parse(text)
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.js\.map$/, '.ts')
  return `${JSON.stringify({ ...map, sources: [name] })}\n`
}
