import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second, whatever the kernel's own clock does. */
const TICKS_PER_SECOND = 100

export type CpuSeconds = ReadonlyMap<string, number>

/** How long each process and its children have used a processor so far; and `everything` on this machine. Linux only. */
export function cpuSeconds(pids: Readonly<Record<string, number>>): CpuSeconds {
  const names = new Map(Object.entries(pids).map(([name, pid]) => [pid, name]))
  const seconds = new Map(Object.keys(pids).map((name) => [name, 0]))
  for (const { pid, parent, ticks } of processes()) {
    const name = names.get(pid) ?? names.get(parent)
    if (name !== undefined) seconds.set(name, (seconds.get(name) ?? 0) + ticks / TICKS_PER_SECOND)
  }
  return seconds.set('everything', busyTicks() / TICKS_PER_SECOND)
}

/** "server 0.9, PostgreSQL 0.7, …, others 0.1": how many cores each kept busy between two readings. */
export function coresBetween(before: CpuSeconds, after: CpuSeconds, seconds: number): string {
  const used = (name: string): number => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / seconds
  const names = [...after.keys()].filter((name) => name !== 'everything')
  const others = names.reduce((left, name) => left - used(name), used('everything'))
  return [...names.map((name) => [name, used(name)] as const), ['others', Math.max(0, others)] as const]
    .map(([name, cores]) => `${name} ${cores.toFixed(2)}`)
    .join(', ')
}

function processes(): { pid: number; parent: number; ticks: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readStat(name) : null
    if (stat === null) return []
    // The name of the program is in brackets and may contain anything; what follows are numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Its own time, and that of children that have ended: a connection of PostgreSQL is a process that comes and goes.
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0)
    return [{ pid: Number(name), parent: Number(fields[1]), ticks }]
  })
}

/** Null for a process that has ended since. */
function readStat(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
}

/** User, nice, system, interrupts; not idle, not waiting. */
function busyTicks(): number {
  const [, user = 0, nice = 0, system = 0, , , hard = 0, soft = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .map(Number)
  return user + nice + system + hard + soft
}
