import { type Command, UsedWrongly } from './command.ts'
import { doctor } from './commands/doctor.ts'
import { guard } from './commands/guard.ts'
import { migrate } from './commands/migrate.ts'
import { reconcile } from './commands/reconcile.ts'
import { rehearse } from './commands/rehearse.ts'
import { serve } from './commands/serve.ts'
import { verify } from './commands/verify.ts'
import { explainFailure } from './explain-failure.ts'

const COMMANDS: readonly Command[] = [serve, rehearse, verify, reconcile, migrate, doctor, guard]

/** Runs one command. Exit codes: 0 fine, 1 found something wrong, 2 used wrongly. */
export async function main(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args
  if (name === undefined) return useWrongly(`Say what to do.\n\n${overview()}`)
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(overview())
    return
  }
  const command = COMMANDS.find((known) => known.name === name)
  if (command === undefined) return useWrongly(`There is no command "${name}".\n\n${overview()}`)
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

function overview(): string {
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`)
  return ['Usage: seatwise <command> [options]', '', ...lines, '', 'seatwise <command> --help explains each.'].join(
    '\n',
  )
}

function useWrongly(message: string): void {
  console.error(message)
  process.exitCode = 2
}
