import manifest from '../package.json' with { type: 'json' }
import { type Command, UsedWrongly } from './command.ts'
import { explainFailure } from './explain-failure.ts'

/** Loaded when they are asked for: half of a start is loading, and no command needs the others. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  rehearse: async () => (await import('./commands/rehearse.ts')).rehearse,
  verify: async () => (await import('./commands/verify.ts')).verify,
  witness: async () => (await import('./commands/witness.ts')).witness,
  reconcile: async () => (await import('./commands/reconcile.ts')).reconcile,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  move: async () => (await import('./commands/move.ts')).move,
  guard: async () => (await import('./commands/guard.ts')).guard,
}

/** Runs one command. Exit codes: 0 fine, 1 found something wrong, 2 used wrongly. */
export async function main(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args
  if (name === undefined) return useWrongly(`Name a command.\n\n${await overview()}`)
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(await overview())
    return
  }
  if (name === '--version' || name === '-v') {
    console.log(manifest.version)
    return
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (load === undefined) return useWrongly(`There is no command "${name}".\n\n${await overview()}`)
  const command = await load()
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(`seatwise ${command.name}\n\n${command.help}`)
    return
  }
  try {
    process.exitCode = await command.run(rest)
  } catch (error) {
    if (error instanceof UsedWrongly)
      return useWrongly(`${error.message}\nseatwise ${command.name} --help explains it.`)
    console.error(explainFailure(error))
    process.exitCode = 1
  }
}

async function overview(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`)
  return ['Usage: seatwise <command> [options]', '', ...lines, '', 'seatwise <command> --help explains each.'].join(
    '\n',
  )
}

function useWrongly(message: string): void {
  console.error(message)
  process.exitCode = 2
}
