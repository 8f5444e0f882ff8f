import { readFileSync } from 'node:fs'
import { type CheckedInvariant, checkPublicLog, type Head, type Receipt } from '@seatwise/checker'
import { askServer } from '../witness/ask-server.ts'

/** I39 by the public log: its head, and what was kept of it, belong to one log that only grew. */
export async function verifyHeads(
  url: URL,
  { eventId, roomId }: { readonly eventId: string; readonly roomId: string },
  { heads, receipts }: { readonly heads: readonly Head[]; readonly receipts: readonly Receipt[] },
): Promise<CheckedInvariant> {
  const room = `/api/events/${eventId}`
  const { checked, problems } = await checkPublicLog({
    ...{ ask: askServer(url), room, roomId, heads, receipts },
    isRoundSigned: async (signed) => (await import('@seatwise/server')).isRoundSigned(signed),
  })
  const counts = { 'entries under the head': checked, 'heads kept': heads.length, 'receipts kept': receipts.length }
  const violations = problems.map((message) => ({ message, records: [] }))
  return {
    id: 'I39',
    name: 'every head extends all earlier ones, and the log is what was signed',
    verdict:
      problems.length === 0
        ? { status: 'held', counts }
        : { status: 'violated', counts, violations, violationCount: violations.length },
  }
}

/** One receipt, or a list of them, as clients keep what `…/queue/receipt` answers. */
export function readReceipts(file: string): Receipt[] {
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return (Array.isArray(read) ? read : [read]) as Receipt[]
}
