import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeFolder, temporaryFolder } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawDiagram } from '../../site/draw-diagram.ts'
import { commandsPage } from '../../site/reference/commands.ts'
import { type Block, blocksOf, papers, root } from './papers.ts'

const run = promisify(execFile)
const blocks = papers().flatMap(blocksOf)
const of = (...languages: readonly string[]): Block[] => blocks.filter(({ language }) => languages.includes(language))

/** What proves each language; those of a single file are run by the test that is named. */
const PROOFS: Readonly<Record<string, string>> = {
  sh: 'tests/papers/shell-blocks.test.ts',
  json: 'tests/papers/shell-blocks.test.ts',
  ts: 'below',
  js: 'below',
  mermaid: 'below',
  text: 'below',
  console: 'tests/papers/shell-blocks.test.ts',
  html: 'tests/browser/console/embed.cases.ts',
  nginx: 'packages/guard/test/guarded-sites.ts',
  sql: 'tests/crash/change-data.test.ts',
}
/** What stands around a snippet in the reader's own program. */
const SURROUNDINGS = `
declare const eventId: string
declare const seatTypeId: string
declare const app: { use(handler: unknown): void }
declare function show(...facts: readonly unknown[]): void
declare const settings: { burst: number }
declare function readSecret(): string
declare const process: { env: { GUARD_SECRET: string; PARTNER_SECRET: string } }
`

let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => removeFolder(folder))

it('[Y55] every block says its language, and each language has a proof', () => {
  expect(blocks.length).toBeGreaterThan(40)
  expect(blocks.filter(({ language }) => PROOFS[language] === undefined)).toEqual([])
  for (const [language, paper] of [
    ['html', 'docs/embed.md'],
    ['nginx', 'docs/guard.md'],
    ['sql', 'docs/change-data.md'],
  ] as const) {
    expect([...new Set(of(language).map((block) => block.paper))]).toEqual([paper])
    // The test takes them from the paper, so that what it runs is what is read there.
    expect(readFileSync(join(root, PROOFS[language] ?? ''), 'utf8')).toContain(paper)
  }
})

it('[Y55] all TypeScript and JavaScript compiles as it stands', async () => {
  const snippets = of('ts', 'js')
  expect(snippets.length).toBeGreaterThan(4)
  expect(await compile(snippets.map(({ text }) => text))).toBe('')
})

it('[Y55 control] a call that does not exist is found', async () => {
  const wrong =
    "import { joinLine } from '@seatwise/client'\nconst place = await joinLine({ eventId })\nawait place.jumpAhead()\n"
  expect(await compile([wrong])).toContain('jumpAhead')
})

it('[Y55] all diagrams can be drawn', () => {
  expect(of('mermaid').length).toBeGreaterThan(5)
  for (const { text } of of('mermaid')) expect(drawDiagram(text)).toMatch(/^<svg [\s\S]*<text/)
})

it('[Y55] commands and options that are shown exist', async () => {
  const { text: helps } = await commandsPage()
  const shown = of('text', 'sh').flatMap(({ paper, text }) =>
    [...text.matchAll(/(?:^|\s)seatwise ([a-z]+)([^|\n]*)/g)].map(([, name = '', rest = '']) => ({
      paper,
      name,
      rest,
    })),
  )
  expect(shown.length).toBeGreaterThan(8)
  const wrong = shown.flatMap(({ paper, name, rest }) => {
    const help = helps.split(/^## seatwise /m).find((part) => part.startsWith(`${name}\n`)) ?? ''
    const options = rest.match(/--[a-z-]+/g) ?? []
    const unknown = options.filter((option) => !help.includes(option)).map((option) => `${paper}: ${name} ${option}`)
    return help === '' ? [`${paper}: seatwise ${name}`] : unknown
  })
  expect(wrong).toEqual([])
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>
  const ran = of('text', 'sh', 'console').flatMap(({ paper, text }) =>
    paper.startsWith('examples/') ? [] : [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name),
  )
  expect(ran.filter((name) => scripts[name] === undefined)).toEqual([])
})

/** What the compiler says of them, each as a module of its own, against our sources. */
async function compile(snippets: readonly string[]): Promise<string> {
  const place = join(folder, String(snippets.length))
  mkdirSync(place)
  writeFileSync(join(place, 'surroundings.d.ts'), SURROUNDINGS)
  for (const [index, text] of snippets.entries()) writeFileSync(join(place, `${index}.ts`), moduleOf(text))
  const package_ = (name: string): string[] => [join(root, `packages/${name}/src/index.ts`)]
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
    ...{ target: 'esnext', module: 'esnext', moduleResolution: 'bundler', lib: ['esnext', 'dom', 'dom.asynciterable'] },
    paths: {
      '@seatwise/client': package_('client'),
      '@seatwise/guard': package_('guard'),
      ably: [`${root}node_modules/ably`],
    },
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  return await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', place]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
}

/** Without an import it is a line of an object, as in CONTRIBUTING.md. */
const moduleOf = (text: string): string =>
  text.includes('import ') ? `${text}\nexport {}\n` : `export const part = {\n${text}}\n`
