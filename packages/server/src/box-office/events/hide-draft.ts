import { SeatwiseError } from '@seatwise/domain'
import { type Actor, mayDo } from '../../http/index.ts'
import type { DraftOrNot } from './event-reads.ts'

/** The document, unless there is none, or it is about a draft of an organization that the caller is no member of. */
export function requireShown<Value extends DraftOrNot>(document: Value | null, actor: Actor | null): Value {
  if (document === null || !maySee(document, actor)) {
    throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  }
  return document
}

function maySee({ draft }: DraftOrNot, actor: Actor | null): boolean {
  if (draft === undefined) return true
  return mayDo(actor, 'statistics', draft.organizationId)
}
