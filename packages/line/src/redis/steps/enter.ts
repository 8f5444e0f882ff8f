import type { EnterReply, RoomAt, TicketAct } from '../../contract.ts'
import { runActs } from '../scripts/act.ts'
import type { Scripts } from '../scripts/scripts.ts'

/** Runs enter.lua. */
export function enter(scripts: Scripts, at: RoomAt, requests: readonly TicketAct[]): Promise<EnterReply[]> {
  return runActs(scripts, 'enter', at, requests, ['active', 'not_admitted'], () => [])
}
