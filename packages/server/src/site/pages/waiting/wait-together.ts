import { type ErrorCode, SeatwiseError } from '@seatwise/domain'
import type { GroupVerdict, HandOver, TogetherFacts, TurnMail } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import { ownOrigin } from '../../../http/index.ts'
import { type Room, requireCurrent, type TicketClaims } from '../../../rooms/index.ts'
import type { PageParts } from '../page-parts.ts'
import type { Hall } from '../wait.ts'

/** What a request to the waiting page is about, where it is about a group. */
export type GroupAsked = Partial<Pick<TogetherFacts, 'invitation' | 'typed' | 'verdict' | 'isOpen'>>

/** What the page shows after a form, beside the place. */
export interface ShownBeside {
  readonly handOver?: HandOver | null
  readonly problem?: TurnMail['problem']
  readonly asked?: GroupAsked
}

/** What the waiting page says of groups; null in a room without them. */
export function togetherFacts({ settings }: Room, asked: GroupAsked): TogetherFacts | null {
  // A line that was loaded by a server of the version before has no such setting.
  const { groupMax: peopleMax = 1 } = settings
  return peopleMax < 2 ? null : { peopleMax, invitation: null, typed: '', verdict: null, isOpen: false, ...asked }
}

/** The code of a visitor who waits, and the link that has it. */
export async function inviteOthers(
  parts: PageParts,
  request: FastifyRequest,
  { kind, id, room }: Hall,
  ticket: TicketClaims,
): Promise<GroupAsked> {
  const { view } = await room.look(ticket)
  requireCurrent(ticket, view)
  if (view.state !== 'waiting') return { isOpen: true, verdict: 'over' }
  const code = parts.roomTokens.groups.of(room.id, ticket.number)
  return {
    isOpen: true,
    invitation: { code, link: `${ownOrigin(parts.config, request)}/${kind}s/${id}/wait?group=${code}` },
  }
}

/** Why a visitor did not come to stand with a group; null for any other error. */
export function groupVerdictOf(error: unknown): GroupVerdict | null {
  return error instanceof SeatwiseError ? (VERDICTS[error.code] ?? null) : null
}

const VERDICTS: Partial<Record<ErrorCode, GroupVerdict>> = {
  BAD_CODE: 'unknown',
  GROUP_OVER: 'over',
  GROUP_FULL: 'full',
  IN_GROUP: 'inGroup',
  TOO_MANY_REQUESTS: 'limited',
  DRAWING: 'drawing',
}
