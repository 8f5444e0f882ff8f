import type { Primary } from '../../engine/index.ts'
import { withSeatMap } from '../../seat-map/index.ts'
import { recordAction } from '../../trail/index.ts'

/**
 * Ends a code: no later claim is granted with it, and reservations that have it stay as they are. Under the lock of the
 * seat map, so that no claim is decided at the same time. False when the event has no such code; ending twice is ending.
 */
export async function endCode(
  ledger: Primary,
  { eventId, codeId, by }: { eventId: string; codeId: string; by: string },
): Promise<boolean> {
  const outcome = await withSeatMap(ledger, eventId, async (map) => {
    const { db } = map.transaction
    const row = await db
      .selectFrom('codes')
      .select(['code', 'ended_at'])
      .where('event_id', '=', eventId)
      .where('id', '=', codeId)
      .executeTakeFirst()
    if (row === undefined) return { result: { isKnown: false }, moves: [] }
    if (row.ended_at === null) {
      await db.updateTable('codes').set({ ended_at: map.at }).where('id', '=', codeId).execute()
      const action = { actorId: by, kind: 'event_code.ended', eventId, subject: codeId } as const
      await recordAction(db, { ...action, after: { code: row.code } })
    }
    return { result: { isKnown: true }, moves: [] }
  })
  return outcome?.isKnown === true
}
