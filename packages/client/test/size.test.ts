import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

it('[K24] all of it takes less than 6.25 KB on the wire', async () => {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      rolldownOptions: { input: 'src/index.ts', preserveEntrySignatures: 'strict' },
    },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  expect(output).toHaveLength(1)
  const { code, exports } = output[0]
  expect(exports).toEqual(
    expect.arrayContaining(['acceptPlace', 'joinLine', 'LineError', 'remainingMs', 'resumePlace']),
  )
  expect(brotliCompressSync(code).length).toBeLessThan(6.25 * 1024)
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
