import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { generatedPage, type Page, root } from '../papers.ts'

const run = promisify(execFile)
const MAIN = pathToFileURL(join(root, 'packages/cli/src/main.ts')).href
const USES = /^ {2}([a-z]+) +(\S.*)$/gm
/** Between what one command says and the next. */
const CUT = '\u0000'
/** All of them in one process, because loading the program takes longer than asking it. */
const ASK = `
const { main } = await import(${JSON.stringify(MAIN)})
for (const args of JSON.parse(process.argv[1])) {
  await main(args)
  console.log(${JSON.stringify(CUT)})
}`

/** What `seatwise --help` and the help of each command say. */
export async function commandsPage(): Promise<Page> {
  const [overview = ''] = await say([['--help']])
  const commands = [...overview.matchAll(USES)].map(([, name = '', summary = '']) => ({ name, summary }))
  const helps = await say(commands.map(({ name }) => [name, '--help']))
  const parts = commands.map(({ name, summary }, index) => {
    const [, ...help] = helps[index]?.split('\n') ?? []
    return `## seatwise ${name}\n\n${capital(summary)}.\n\n\`\`\`text\n${help.join('\n').trim()}\n\`\`\`\n`
  })
  const lead =
    'What `seatwise <command> --help` says. Exit codes: 0 is fine, 1 found something wrong, 2 means used wrongly.'
  return generatedPage('commands', `# Commands\n\n${lead}\n\n${parts.join('\n')}`)
}

async function say(calls: readonly (readonly string[])[]): Promise<string[]> {
  const args = ['--input-type=module', '--eval', ASK, JSON.stringify(calls)]
  const { stdout } = await run(process.execPath, args)
  return stdout.split(`${CUT}\n`)
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
