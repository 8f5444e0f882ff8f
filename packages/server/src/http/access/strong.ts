import { SeatwiseError } from '@seatwise/domain'
import type { Actor } from './access.ts'

/** Whom the house asks for more than a password or a mail, and which sessions have shown it. */
export interface StrongSignIn {
  /** Whether callers with as much power as this one have to show it. */
  isAsked(actor: Actor): boolean
  /** Whether this caller's session has. */
  has(actor: Actor): Promise<boolean>
}

/** Why a caller whose power would allow the act is refused nevertheless; undefined allows it. */
export async function refuseWeak(actor: Actor, strong: StrongSignIn): Promise<SeatwiseError | undefined> {
  return (await isWeak(actor, strong)) ? strongNeeded() : undefined
}

export async function isWeak(actor: Actor, strong: StrongSignIn): Promise<boolean> {
  return strong.isAsked(actor) && !(await strong.has(actor))
}

export const strongNeeded = (): SeatwiseError => new SeatwiseError('STRONG_SIGN_IN_NEEDED')
