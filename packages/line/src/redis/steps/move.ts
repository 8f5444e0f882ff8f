import type { MoveReply, MoveRequest, RoomAt } from '../../contract.ts'
import { runActs } from '../scripts/act.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { escapeText } from '../wire/text.ts'

/** Runs move.lua. */
export function move(scripts: Scripts, at: RoomAt, requests: readonly MoveRequest[]): Promise<MoveReply[]> {
  return runActs(scripts, 'move', at, requests, ['moved_here', 'over'], ({ operation }) => [escapeText(operation)])
}
