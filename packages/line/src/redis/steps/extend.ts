import type { ExtendReply, ExtendRequest, RoomAt } from '../../contract.ts'
import { runActs } from '../scripts/act.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { escapeText } from '../wire/text.ts'

/** Runs extend.lua. */
export function extend(scripts: Scripts, at: RoomAt, requests: readonly ExtendRequest[]): Promise<ExtendReply[]> {
  const statuses = ['extended', 'already_extended', 'not_on_floor'] as const
  return runActs(scripts, 'extend', at, requests, statuses, ({ byMs, operation }) => [byMs, escapeText(operation)])
}
