import { redisCommand } from '@seatwise/testbench'

/** How long scripts have kept Redis busy so far. */
export async function scriptMicroseconds(port: number): Promise<number> {
  return figure(await info(port, 'commandstats'), 'cmdstat_evalsha:calls=\\d+,usec=')
}

/** How much processor time the thread of Redis that runs commands has taken so far: a busy machine does not add to it. */
export async function processorMicroseconds(port: number): Promise<number> {
  const text = await info(port, 'cpu')
  const seconds = (name: string): number =>
    Number(new RegExp(`^used_cpu_${name}_main_thread:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0)
  return (seconds('user') + seconds('sys')) * 1e6
}

export async function usedMemoryBytes(port: number): Promise<number> {
  return figure(await info(port, 'memory'), 'used_memory:')
}

async function info(port: number, section: string): Promise<string> {
  return String(await redisCommand(port, 'INFO', section))
}

/** Zero while there is none. */
function figure(text: string, label: string): number {
  return Number(new RegExp(`^${label}(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}
