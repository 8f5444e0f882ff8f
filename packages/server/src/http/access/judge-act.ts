import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import type { ActAccess, Actor } from './access.ts'
import type { Callers, Refusal } from './callers.ts'
import { mayDo, organizationsFor } from './may-do.ts'
import { refuseWeak } from './strong.ts'

/**
 * Whether the caller's role in an organization allows the act. A caller who is refused by a list that may be a second old is
 * judged once more by a fresh one, so that a new member or key counts at once on every server.
 */
export async function judgeAct(
  request: FastifyRequest,
  access: ActAccess,
  actor: Actor,
  { teams, subjects, strong }: Callers,
): Promise<Refusal> {
  // A program owns nothing.
  const mayOwn = access.orOwner === true && actor.role !== 'key'
  const now = (): Actor => ({ ...actor, teams: teams.of(actor) })
  if (access.on === 'some') {
    const isAllowed = (caller: Actor) => organizationsFor(caller, access.act)?.length !== 0
    const caller = await twice(now, isAllowed, teams)
    if (caller === null && !mayOwn) return new SeatwiseError('FORBIDDEN')
    request.actor = caller ?? now()
    return caller === null ? undefined : await refuseWeak(caller, strong)
  }
  const { id = '' } = request.params as { id?: string }
  const subject = await subjects.find(access.on, id)
  if (subject === null && !mayOwn) return new SeatwiseError('NOT_FOUND')
  const isAllowed = (caller: Actor) => subject !== null && mayDo(caller, access.act, subject.organizationId)
  const caller = await twice(now, isAllowed, teams)
  request.actor = caller ?? now()
  if (caller !== null) return await refuseWeak(caller, strong)
  if (mayOwn || subject === null) return undefined
  const isMember = subject.organizationId !== null && request.actor.teams?.has(subject.organizationId) === true
  return new SeatwiseError(subject.isPublic || isMember ? 'FORBIDDEN' : 'NOT_FOUND')
}

async function twice(
  now: () => Actor,
  isAllowed: (caller: Actor) => boolean,
  teams: Callers['teams'],
): Promise<Actor | null> {
  const caller = now()
  if (isAllowed(caller)) return caller
  // Guests are in no list, and a key was just looked up.
  if (caller.role === 'guest' || caller.role === 'key') return null
  await teams.refresh()
  const again = now()
  return isAllowed(again) ? again : null
}
