import { hash } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'

const KEY_PATTERN = '^[\\x21-\\x7e]{1,200}$'
const KEY = new RegExp(KEY_PATTERN)

/** An idempotency key as a form field, because a form cannot send the header. */
export const KeyField = Type.String({ pattern: KEY_PATTERN })

/** The client's name for an operation that must happen once. */
export function requireKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !KEY.test(key)) throw new SeatwiseError('KEY_REQUIRED')
  return key
}

/**
 * A short hash of what a call asks for: the same key with another fingerprint is another call. The order of the
 * client's fields does not matter.
 */
export function fingerprintOf(operation: string, wish: unknown): string {
  return hash('sha256', `${operation} ${canonicalJson(wish)}`, 'base64url')
}

/** Not JSON.stringify with a sorting replacer, which is called for every part and costs four times as much. */
function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const parts = Object.entries(value).filter(([, part]) => part !== undefined)
  if (parts.length > 1) parts.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${parts.map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`).join(',')}}`
}
