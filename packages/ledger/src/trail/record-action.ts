import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'

/** Everything an operator can do, by the word that stands in the trail. */
export type ActionKind =
  | 'event.created'
  | 'event.edited'
  | 'room.created'
  | 'room.renamed'
  | 'room.changed'
  | 'brand.changed'
  | 'ticket.terminated'
  | 'codes.made'
  | 'purchase.refunded'
  | 'purchase.resolved'
  | 'news.resent'
  | 'eticket.checked_in'
  | 'role.changed'
  | 'rehearsal.registered'

export interface Action {
  readonly actorId: string
  readonly kind: ActionKind
  readonly eventId?: string | null
  readonly roomId?: string | null
  /** A ticket, purchase, reservation, e-ticket or account, by its id. */
  readonly subject?: string
  readonly before?: object
  readonly after?: object
  /** The act that this one takes back. */
  readonly undoes?: number
}

/**
 * Notes who did what. Pass the transaction in which the ledger changes, so that neither stands without the other; what
 * changes the line alone is noted before the step, because a note too many is better than one that is missing.
 */
export async function recordAction(db: Kysely<Schema>, action: Action): Promise<void> {
  const {
    actorId,
    kind,
    eventId = null,
    roomId = null,
    subject = null,
    before = {},
    after = {},
    undoes = null,
  } = action
  await db
    .insertInto('operator_actions')
    .values({
      ...{ actor_id: actorId, kind, event_id: eventId, room_id: roomId, subject, undoes },
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    })
    .execute()
}
