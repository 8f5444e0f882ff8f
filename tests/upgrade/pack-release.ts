import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'vite'

/*
 * Packs the `seatwise` command of the working tree into a folder: its own code in few small files, with the statements, scripts
 * and migrations beside them, so that it runs as a server of that release wherever the repository's packages are installed.
 * With a file's name instead of none, also as an archive:
 *
 *     node tests/upgrade/pack-release.ts FOLDER [ARCHIVE]
 */
const root = join(import.meta.dirname, '../..')
const [folder, archive] = process.argv.slice(2)
if (folder === undefined) throw new Error('Say where to pack it')

rmSync(folder, { recursive: true, force: true })
await build({
  configFile: false,
  logLevel: 'error',
  publicDir: false,
  plugins: [{ name: 'know-their-own-place', transform: namePlace }],
  ssr: { noExternal: [/^@seatwise\//], target: 'node' },
  build: {
    ssr: join(root, 'packages/cli/src/main.ts'),
    outDir: folder,
    target: 'es2025',
    minify: true,
    reportCompressedSize: false,
    rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
  },
})
// The thread of the embedded ledger is a file of its own that imports no other.
const beside = ['packages/*/{src,lua,migrations}/**/*.{sql,lua,txt}', 'packages/ledger/src/engine/pglite/worker.ts']
for (const path of globSync(beside, { cwd: root })) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  cpSync(join(root, path), join(folder, path))
}
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
writeFileSync(join(folder, 'seatwise.mjs'), "import { main } from './main.js'\nawait main(process.argv.slice(2))\n")
if (archive !== undefined) {
  // The same bytes for the same sources: no names, no times, one order.
  const plain = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  execFileSync('tar', [...plain, '-I', 'gzip -9n', '-cf', archive, '-C', folder, '.'])
}

/** Sources look for statements and scripts beside themselves: in the pack they are where they were in the repository. */
function namePlace(code: string, id: string): string | null {
  if (!id.startsWith(`${root}/packages/`)) return null
  const own = `new URL(${JSON.stringify(relative(root, id))}, import.meta.url)`
  const packed = code
    .replace(/\bimport\.meta\.url\b/g, `${own}.href`)
    .replace(/\bimport\.meta\.dirname\b/g, `new URL('.', ${own}).pathname.slice(0, -1)`)
    .replace(/\bimport\.meta\.filename\b/g, `${own}.pathname`)
  return packed === code ? null : packed
}
