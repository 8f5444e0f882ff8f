import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The file that a bundler makes of an entry, and how large it and what it loads later are on the wire. */
async function bundle(
  input: string,
): Promise<{ exports: readonly string[]; size: number; gzipped: number; later: readonly number[] }> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      // Else Vite adds its helper for styles of what is loaded later, which an application has once, if at all.
      ssr: true,
      minify: true,
      modulePreload: false,
      rolldownOptions: { input, preserveEntrySignatures: 'strict' },
    },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  // What is loaded later, if at all, are the solver, what checks the log, and what speaks to Ably.
  const [first, ...later] = output.filter((file) => file.type === 'chunk')
  expect(later.every(({ isDynamicEntry }) => isDynamicEntry)).toBe(true)
  const sizes = later.map(({ code }) => brotliCompressSync(code).length)
  const { exports = [], code = '' } = first ?? {}
  return { exports, size: brotliCompressSync(code).length, gzipped: gzipSync(code).length, later: sizes }
}

it('[K24] it takes less than 6.5 KB on the wire, and less than 1 KB more with the listener for Ably', async () => {
  const [without, whole] = [await bundle('test/fixtures/without-ably.ts'), await bundle('src/index.ts')]
  expect(without.exports.toSorted()).toEqual(['LineError', 'acceptPlace', 'joinLine', 'remainingMs', 'resumePlace'])
  expect(whole.exports.toSorted()).toEqual([...without.exports, 'throughAbly'].toSorted())
  console.info(`${without.size} bytes, ${whole.size} with the listener for Ably; ${without.later} bytes loaded later`)
  expect(without.size).toBeLessThan(6.5 * 1024)
  expect(whole.size).toBeLessThan(7.5 * 1024)
  expect(whole.gzipped, 'for servers without Brotli').toBeLessThanOrEqual(8 * 1024)
  expect(without.later.every((size) => size < 1.5 * 1024)).toBe(true)
  expect(without.later).toHaveLength(2)
  expect(whole.later).toHaveLength(3)
  expect(whole.later.every((size) => size < 1.5 * 1024)).toBe(true)
})

it('[K24] it has no dependencies, neither packages nor modules of Node', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(manifest.dependencies).toBeUndefined()
  const source = join(root, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(10)
  const outside = files.flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import) '([^']+)'/g)]
      .map(([, specifier = '']) => specifier)
      .filter((found) => !found.startsWith('.') || !join(source, dirname(file), found).startsWith(`${source}/`)),
  )
  expect(outside).toEqual([])
})
