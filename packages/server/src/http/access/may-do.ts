import { type Act, roleMay } from '@seatwise/domain'
import type { Access, ActAccess, Actor } from './access.ts'

/** Whether the caller may do this for an organization; null stands for what only admins own. */
export function mayDo(actor: Actor | null, act: Act, organizationId: string | null): boolean {
  if (actor === null || actor.isWeak) return false
  if (isAdmin(actor)) return true
  const role = organizationId === null ? undefined : actor.teams?.get(organizationId)
  return role !== undefined && roleMay(role, act)
}

/** The organizations that the caller may do this for; null for all there are. */
export function organizationsFor(actor: Actor, act: Act): string[] | null {
  if (actor.isWeak) return []
  if (isAdmin(actor)) return null
  return [...(actor.teams ?? [])].flatMap(([id, role]) => (roleMay(role, act) ? [id] : []))
}

/** Whether the caller is anything more than a buyer. */
export function isOperator(actor: Actor | null): boolean {
  return actor !== null && !actor.isWeak && (isAdmin(actor) || (actor.teams?.size ?? 0) > 0)
}

/** Whether the caller may do everything everywhere. */
export function isAdmin({ role, isWeak }: Actor): boolean {
  return role === 'admin' && isWeak !== true
}

/** The account behind an actor: an API key acts in the name of who made it. */
export function accountOf({ id, madeBy }: Actor): string {
  return madeBy ?? id
}

export function isAct(access: Access | undefined): access is ActAccess {
  return typeof access === 'object' && !Array.isArray(access)
}
