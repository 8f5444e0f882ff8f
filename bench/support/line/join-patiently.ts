import type { JoinReply, Line } from '@seatwise/line'
import { waitUntil } from '@seatwise/testbench'

/** The line refuses joins while the ledger is too far behind; then they are repeated. */
export async function joinPatiently(
  line: Line,
  at: Parameters<Line['join']>[0],
  identities: readonly string[],
): Promise<JoinReply[]> {
  return await waitUntil(
    'the line takes them',
    async () => {
      const requests = identities.map((identity) => ({ identity, class: 0 as const, profile: '{"name":"Visitor"}' }))
      const replies = await line.join(at, requests)
      return replies.every((reply) => 'state' in reply) ? replies : null
    },
    { timeoutMs: 120_000 },
  )
}
