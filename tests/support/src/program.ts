import { join } from 'node:path'
import { inject } from 'vitest'
import { startChild } from './child.ts'
import { onceARun } from './once-a-run.ts'

/** A start makes much that is soon garbage: room for it saves a tenth of the time of a start. */
const ROOM_FOR_GARBAGE = '--min-semi-space-size=16'
/** As the first line of the command itself says. */
const AS_USERS_DO = '--max-semi-space-size=64'
/** Nothing of PGlite is compiled a second time, better: few tests last long enough to repay it. */
const COMPILE_LESS = '--wasm-tiering-budget=2147483647'

/**
 * What Node is told to run the `seatwise` command of today's sources, packed into a few files once a run. Tests start it
 * some two hundred times, and finding, reading and translating 2,000 small files was a third of each start. Tests of the
 * command itself run it as users do, and so do measurements, which have no run around them. One that `lasts` is worth
 * compiling well.
 */
export async function seatwiseProgram(lasts = false): Promise<readonly string[]> {
  if (process.env.VITEST === undefined)
    return [AS_USERS_DO, join(import.meta.dirname, '../../../packages/cli/bin/seatwise.mjs')]
  const folder = join(inject('runFolder'), 'program')
  await onceARun(folder, pack)
  return [ROOM_FOR_GARBAGE, ...(lasts ? [] : [COMPILE_LESS]), join(folder, 'seatwise.mjs')]
}

/** In a process of its own, which takes along what the packer leaves open. */
async function pack(folder: string): Promise<void> {
  const script = join(import.meta.dirname, 'pack-program.ts')
  const child = await startChild('pack seatwise', process.execPath, [script, folder])
  const { code } = await child.exited
  if (code !== 0) throw new Error(`The program could not be packed: ${child.output()}`)
}
