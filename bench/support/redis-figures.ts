import { redisCommand } from '@seatwise/testbench'

/** Commands that clients send, not those that scripts run inside Redis. */
const SENT_BY_CLIENTS = ['evalsha', 'eval', 'xread']

export async function redisRoundTrips(port: number): Promise<number> {
  const stats = await info(port, 'commandstats')
  return SENT_BY_CLIENTS.reduce((sum, command) => sum + figure(stats, `cmdstat_${command}:calls=`), 0)
}

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
