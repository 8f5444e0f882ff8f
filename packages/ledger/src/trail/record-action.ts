import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'

/** Everything an operator can do, by the word that stands in the trail. */
export type ActionKind =
  | 'event.created'
  | 'event.edited'
  | 'event.cancelled'
  | 'room.created'
  | 'room.renamed'
  | 'room.changed'
  | 'brand.changed'
  | 'ticket.terminated'
  | 'visitors.admitted'
  | 'verdict.overturned'
  | 'invitations.added'
  | 'invitations.removed'
  | 'codes.made'
  | 'event_codes.made'
  | 'event_code.ended'
  | 'purchase.refunded'
  | 'purchase.resolved'
  | 'door.sold'
  | 'tickets.resent'
  | 'buyers.mailed'
  | 'news.resent'
  | 'eticket.checked_in'
  | 'role.changed'
  | 'rehearsal.registered'
  | 'organization.created'
  | 'organization.edited'
  | 'member.invited'
  | 'member.added'
  | 'member.changed'
  | 'member.removed'
  | 'key.made'
  | 'key.revoked'

export interface Action {
  readonly actorId: string
  readonly kind: ActionKind
  readonly eventId?: string | null
  readonly roomId?: string | null
  /** A ticket, purchase, reservation, e-ticket, account or organization, by its id. */
  readonly subject?: string
  readonly before?: object
  readonly after?: object
  /** The action that this one undoes. */
  readonly undoes?: number
}

/**
 * Records an operator's action. Pass the transaction that changes the ledger, so that both happen or neither does; what
 * changes only the line is recorded before the step, because a superfluous record is better than a missing one.
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
