import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { DIST } from '../assets.ts'

const WEB = join(import.meta.dirname, '../..')
const BUILD_MS_KEPT = 3_600_000

/**
 * Builds what browsers load, unless it is built already from the same sources. Each build has a folder of its own, named
 * by what it was made from, and `current` names the one that counts: builds that run at once do not disturb each
 * other, and a server that is starting finds a whole one.
 */
async function buildPages(): Promise<void> {
  const stamp = stampOf(sources())
  if (isCurrent(stamp)) return
  const startedAt = performance.now()
  const folder = join(DIST, stamp)
  await bundle(folder)
  compress(folder)
  const note = join(DIST, `current.${process.pid}`)
  writeFileSync(note, stamp)
  renameSync(note, join(DIST, 'current'))
  removeOldBuilds(stamp)
  console.log(`Built the pages (${((performance.now() - startedAt) / 1000).toFixed(1)} s).`)
}

/** Everything a bundle may be made of: this package, and the packages that browsers may import. */
function sources(): string[] {
  const folders = [
    join(WEB, 'src'),
    join(WEB, '../checker/src'),
    join(WEB, '../client/src'),
    join(WEB, '../domain/src'),
  ]
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|css|woff2)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  return [...files, join(WEB, 'package.json')].sort()
}

function stampOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.slice(WEB.length)}\n`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

function isCurrent(stamp: string): boolean {
  try {
    statSync(join(DIST, stamp, 'manifest.json'))
    return readFileSync(join(DIST, 'current'), 'utf8') === stamp
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Every file in `entries` is the script of a page, and every file in `styles` a style sheet. */
async function bundle(outDir: string): Promise<void> {
  const { build } = await import('vite')
  const input = ['src/browser/entries', 'src/styles'].flatMap((folder) =>
    readdirSync(join(WEB, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(WEB, folder, entry.name)),
  )
  await build({
    configFile: false,
    root: WEB,
    base: '/assets/',
    logLevel: 'warn',
    publicDir: false,
    plugins: [PLAIN_IMPORTS],
    // Also where NODE_ENV says something else than production: what is measured in tests is what is served.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: '.',
      // The content policy has no place for letters inside a style sheet.
      assetsInlineLimit: 0,
      manifest: 'manifest.json',
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      // Pages load `through-ably` for what it exports; all other entries export nothing.
      rolldownOptions: {
        ...{ input, preserveEntrySignatures: 'exports-only' },
        onLog: (level, log, tell) => (isAboutNode(log.message) ? undefined : tell(level, log)),
        output: { codeSplitting: { groups: CHUNKS } },
      },
    },
  })
}

/** What is loaded later imports next to nothing: Vite's helper that preloads that would weigh more than it saves. */
const PLAIN_IMPORTS = {
  name: 'plain-imports',
  enforce: 'pre' as const,
  load: (id: string) => (id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load()' : null),
}

/** The checker's door also exports what only Node uses; none of that is in a bundle. */
function isAboutNode(message: string): boolean {
  return message.includes('externalized for browser compatibility')
}

/** What several pages share, in few files: a request costs more than a kilobyte. */
const CHUNKS = [
  { name: 'preact', test: /node_modules\/preact\// },
  {
    name: 'common',
    test: /preload-helper|src\/(?:icons-of-waiting|words\/say|views\/duration|browser\/page-data|browser\/own-times|browser\/listening|views\/moment)\.ts$/,
  },
]

function compress(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
    const plain = readFileSync(join(folder, name))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(plain, { params }))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(plain, { level: 9 }))
  }
}

function removeOldBuilds(current: string): void {
  for (const name of readdirSync(DIST)) {
    const path = join(DIST, name)
    const isOld = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > BUILD_MS_KEPT
    if (isOld && name !== current && name !== 'current') rmSync(path, { recursive: true, force: true })
  }
}

mkdirSync(DIST, { recursive: true })
await buildPages()
