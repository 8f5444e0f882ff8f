import { redisCommand } from '@seatwise/testbench'

/** How long scripts have kept Redis busy so far. */
export async function scriptMicroseconds(port: number): Promise<number> {
  return figure(await info(port, 'commandstats'), 'cmdstat_evalsha:calls=\\d+,usec=')
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
