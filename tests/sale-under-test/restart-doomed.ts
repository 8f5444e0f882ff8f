import type { Server } from '@seatwise/testbench'

/** Starts a server so that it dies at a point. Visitors who keep asking may reach it before the test knows that it started. */
export async function restartDoomed(server: Server, faults: string): Promise<void> {
  await server.restart({ SEATWISE_FAULTS: faults }).catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.includes('ended with SIGKILL')) throw error
  })
}
