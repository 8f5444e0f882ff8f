import type { ClaimReply, RoomAt, TicketAct } from '../contract.ts'
import { runActs } from './act.ts'
import type { Scripts } from './scripts.ts'

/** Runs claim.lua. */
export function claim(scripts: Scripts, at: RoomAt, requests: readonly TicketAct[]): Promise<ClaimReply[]> {
  return runActs(scripts, 'claim', at, requests, ['active', 'not_admitted'], () => [])
}
