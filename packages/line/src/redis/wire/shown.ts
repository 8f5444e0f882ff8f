import assert from 'node:assert/strict'
import { unescapeText } from './text.ts'

/** The name and avatar a visitor agreed to show, as stored with the ticket or in the log. */
export function readShown(text: string): { name: string; avatar: string | null } {
  const shown: unknown = JSON.parse(unescapeText(text))
  assert(typeof shown === 'object' && shown !== null && 'name' in shown && 'avatar' in shown)
  const { name, avatar } = shown
  assert(typeof name === 'string' && (avatar === null || typeof avatar === 'string'))
  return { name, avatar }
}
