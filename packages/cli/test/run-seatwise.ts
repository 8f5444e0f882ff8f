import { join } from 'node:path'
import { seatwiseProgram, startChild } from '@seatwise/testbench'

/** As users run it. */
export const COMMAND: string = join(import.meta.dirname, '../bin/seatwise.mjs')

export interface Outcome {
  readonly code: number | null
  readonly output: string
}

/** Runs a command to its end, with these settings and no others; `program` is what Node is started with. */
export async function runSeatwise(
  args: readonly string[],
  env: Record<string, string> = {},
  program?: readonly string[],
): Promise<Outcome> {
  const command = [...(program ?? (await seatwiseProgram())), ...args]
  const child = await startChild(`seatwise ${args[0]}`, process.execPath, command, {
    env: { PATH: process.env.PATH, ...env },
  })
  const { code } = await child.exited
  return { code, output: child.output() }
}
