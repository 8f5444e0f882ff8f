import { waitMs } from '../../../kit/index.ts'
import type { Issue, TicketClaims } from '../../../rooms/index.ts'
import type { Hall } from '../wait.ts'

/** Admission takes a few milliseconds where nothing is in its way; a visitor would not notice as much. */
const ADMISSION_MS_MAX = 400
const LOOK_AGAIN_MS = 20

/**
 * In a room without a step of claiming, a visitor who is admitted in the moment of joining is passed on to the site, and never
 * sees the waiting page. Null for every other visitor. Rule G81.
 */
export async function passOn(
  issue: Issue,
  { kind, room }: Hall,
  ticket: TicketClaims,
  to: string | null,
): Promise<string | null> {
  if (kind !== 'room' || room.settings.claimSeconds > 0) return null
  const { number, identity, generation } = ticket
  for (let waitedMs = 0; waitedMs < ADMISSION_MS_MAX; waitedMs += LOOK_AGAIN_MS) {
    const entered = await room.enter({ number, identity, generation })
    if (entered.status === 'active') return await issue(room, ticket, to)
    // Others wait before this visitor, or the room lets no visitor in: the page tells.
    if (entered.status !== 'not_admitted' || entered.state !== 'waiting' || (entered.rank ?? 1) > 0) return null
    if (room.document.phase !== 'open') return null
    await waitMs(LOOK_AGAIN_MS)
  }
  return null
}
