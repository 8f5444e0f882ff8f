import type { ClaimReply, RoomAt, TicketAct } from '../../contract.ts'
import { runActs } from '../scripts/act.ts'
import type { Scripts } from '../scripts/scripts.ts'

/** Runs claim.lua. */
export function claim(scripts: Scripts, at: RoomAt, requests: readonly TicketAct[]): Promise<ClaimReply[]> {
  return runActs(scripts, 'claim', at, requests, ['active', 'not_admitted'], () => [])
}
