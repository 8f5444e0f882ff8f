import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The one file that a bundler makes of an entry, and how large it is on the wire. */
async function bundle(input: string): Promise<{ exports: readonly string[]; size: number }> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      rolldownOptions: { input, preserveEntrySignatures: 'strict' },
    },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  expect(output).toHaveLength(1)
  const { code, exports } = output[0]
  return { exports, size: brotliCompressSync(code).length }
}

it('[K24] it takes less than 6.25 KB on the wire, and less than 1 KB more with the listener for Ably', async () => {
  const [without, whole] = [await bundle('test/fixtures/without-ably.ts'), await bundle('src/index.ts')]
  expect(without.exports.toSorted()).toEqual(['LineError', 'acceptPlace', 'joinLine', 'remainingMs', 'resumePlace'])
  expect(whole.exports.toSorted()).toEqual([...without.exports, 'throughAbly'].toSorted())
  console.info(`${without.size} bytes, ${whole.size} with the listener for Ably`)
  expect(without.size).toBeLessThan(6.25 * 1024)
  expect(whole.size).toBeLessThan(7.25 * 1024)
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
