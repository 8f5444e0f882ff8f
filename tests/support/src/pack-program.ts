import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'

// Packs the `seatwise` command and everything it imports into the folder that is the only argument.
const folder = process.argv[2]
if (folder === undefined) throw new Error('Say where to pack it')

await build({
  configFile: false,
  logLevel: 'error',
  publicDir: false,
  plugins: [{ name: 'know-their-own-place', transform: nameOwnPlace }],
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: join(import.meta.dirname, '../../../packages/cli/src/main.ts'),
    outDir: folder,
    target: 'es2025',
    minify: false,
    reportCompressedSize: false,
  },
})
// Otherwise every start reads through all of it to find out that these are modules.
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
writeFileSync(
  join(folder, 'seatwise.mjs'),
  [
    "import module from 'node:module'",
    "module.enableCompileCache(new URL('./compiled', import.meta.url).pathname)",
    "const { main } = await import('./main.js')",
    'await main(process.argv.slice(2))',
    '',
  ].join('\n'),
)

/** Sources look for statements, scripts and pages beside themselves, and shall find them where they are. */
function nameOwnPlace(code: string, id: string): string | null {
  const names: Record<string, string> = {
    'import.meta.url': pathToFileURL(id).href,
    'import.meta.dirname': dirname(id),
    'import.meta.filename': id,
    __dirname: dirname(id),
    __filename: id,
  }
  const packed = code.replace(/\bimport\.meta\.(?:url|dirname|filename)\b|\b__(?:dirname|filename)\b/g, (name) =>
    JSON.stringify(names[name]),
  )
  return packed === code ? null : packed
}
