import type { MoveReply, MoveRequest, RoomAt } from '../contract.ts'
import { runActs } from './act.ts'
import type { Scripts } from './scripts.ts'
import { escapeText } from './text.ts'

/** Runs move.lua. */
export function move(scripts: Scripts, at: RoomAt, requests: readonly MoveRequest[]): Promise<MoveReply[]> {
  return runActs(scripts, 'move', at, requests, ['moved_here', 'over'], ({ operation }) => [escapeText(operation)])
}
