import type { EndReply, EndRequest, RoomAt } from '../../contract.ts'
import { runActs } from '../scripts/act.ts'
import type { Scripts } from '../scripts/scripts.ts'
import { escapeText } from '../wire/text.ts'

/** Runs end.lua. */
export function end(scripts: Scripts, at: RoomAt, requests: readonly EndRequest[]): Promise<EndReply[]> {
  return runActs(scripts, 'end', at, requests, ['ended', 'was_ended', 'not_on_floor'], ({ as, operation }) => [
    as,
    escapeText(operation),
  ])
}
