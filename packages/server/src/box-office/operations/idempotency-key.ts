import { hash } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'

const KEY_PATTERN = '^[\\x21-\\x7e]{1,200}$'
const KEY = new RegExp(KEY_PATTERN)

/** A key as a field of a form, where no header can be. */
export const KeyField = Type.String({ pattern: KEY_PATTERN })

/** The name that the client gave to what it wants done once. */
export function requireKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !KEY.test(key)) throw new SeatwiseError('KEY_REQUIRED')
  return key
}

/**
 * What a call asks for, in one word: the same key with another fingerprint is another call. The order in which a client
 * writes its fields does not matter.
 */
export function fingerprintOf(operation: string, wish: unknown): string {
  return hash('sha256', `${operation} ${canonicalJson(wish)}`, 'base64url')
}

/** Not by JSON.stringify with a function that sorts, which is called for every part and costs four times as much. */
function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const parts = Object.entries(value).filter(([, part]) => part !== undefined)
  if (parts.length > 1) parts.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${parts.map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`).join(',')}}`
}
