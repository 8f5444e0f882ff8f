import { SeatwiseError } from '@seatwise/domain'
import { type Ledger, listSetAside, readDelivery, recordAction, resendDelivery } from '@seatwise/ledger'
import { type Actor, mayDo, organizationsFor } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'

/** Delivers news again: what was set aside, or a call that was answered. The trail notes it. */
export async function resendNews({ db }: Pick<Ledger, 'db'>, actor: Actor, id: string): Promise<void> {
  const found = isUuid(id) ? await findOwned(db, actor, id) : null
  if (found === null || !(await resendDelivery(db, id))) {
    throw new SeatwiseError('NOT_FOUND', { message: 'There is no such delivery that could be sent again' })
  }
  const { eventId, subject, type } = found
  await recordAction(db, { actorId: actor.id, kind: 'news.resent', eventId, subject, after: { type } })
}

async function findOwned(db: Ledger['db'], actor: Actor, id: string) {
  const owned = { organizationIds: organizationsFor(actor, 'webhooks'), id, max: 1 }
  const [aside] = await listSetAside(db, owned)
  if (aside !== undefined) return { eventId: aside.eventId, subject: aside.reservationId ?? id, type: aside.type }
  const called = await readDelivery(db, id)
  if (called === null || !mayDo(actor, 'webhooks', called.organizationId)) return null
  return { eventId: null, subject: id, type: called.type }
}
