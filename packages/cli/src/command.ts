import { type ParseArgsConfig, parseArgs } from 'node:util'

export interface Command {
  readonly name: string
  /** One line for the overview. */
  readonly summary: string
  readonly help: string
  /** Resolves to the exit code. */
  run(args: readonly string[]): Promise<number>
}

/** The command line cannot be understood; the exit code is then 2. */
export class UsedWrongly extends Error {
  override readonly name = 'UsedWrongly'
}

/** Reads the one folder that a command takes. */
export function readFolder(args: readonly string[]): string {
  const [folder, ...rest] = args
  if (folder === undefined || rest.length > 0 || folder.startsWith('-')) throw new UsedWrongly('Name one folder.')
  return folder
}

/** Reads the options of a command; what it does not know is refused, never ignored. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      throw new UsedWrongly(error.message, { cause: error })
    }
    throw error
  }
}
