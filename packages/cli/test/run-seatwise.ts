import { join } from 'node:path'
import { startChild } from '@seatwise/testbench'

export const COMMAND: string = join(import.meta.dirname, '../bin/seatwise.mjs')

export interface Outcome {
  readonly code: number | null
  readonly output: string
}

/** Runs the command to its end, with these settings and no others. */
export async function runSeatwise(
  args: readonly string[],
  env: Record<string, string> = {},
  nodeArgs: readonly string[] = [],
): Promise<Outcome> {
  const child = await startChild(`seatwise ${args[0]}`, process.execPath, [...nodeArgs, COMMAND, ...args], {
    env: { PATH: process.env.PATH, ...env },
  })
  const { code } = await child.exited
  return { code, output: child.output() }
}
