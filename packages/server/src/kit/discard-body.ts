import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { DeadlinePassed, withDeadline } from './deadline.ts'

/**
 * Reads and discards what a client is still sending, up to a deadline. Closing a connection while bytes arrive resets
 * it, and the client then loses the answer that explains the refusal.
 */
export async function discardBody(message: IncomingMessage, deadlineMs: number): Promise<void> {
  if (message.complete || message.destroyed) return
  message.resume()
  try {
    await withDeadline(finished(message, { writable: false }), deadlineMs, 'The end of the body')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error
    if (!(isGone || error instanceof DeadlinePassed)) throw error
  }
}
