import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import type { Postgres, Redis } from '@seatwise/testbench'

/*
 * On one machine the driver and the stores take turns with the server on its cores, and whoever wakes somebody else up
 * may lose its own core to them. With the others on one half, the server has the rest to itself, as it would have on a
 * machine of its own.
 */

/** Before anybody connects: the processes that PostgreSQL starts for connections are then kept there, too. */
export function keepStoresApart(postgres: Postgres, redis: Redis): void {
  for (const { pid } of [postgres, redis]) keepToTheirHalf(pid)
}

/** Once the servers are started, which would inherit it. Returns what undoes it. */
export function keepDriverApart(): () => void {
  keepToTheirHalf(process.pid)
  return () => keepTo(`0-${CORES - 1}`, process.pid)
}

const CORES = cpus().length

/** With a single core there is nothing to keep apart. */
function keepToTheirHalf(pid: number): void {
  if (CORES > 1) keepTo(`${Math.ceil(CORES / 2)}-${CORES - 1}`, pid)
}

/** All threads of a process. */
function keepTo(cores: string, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)])
}
