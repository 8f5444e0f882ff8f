import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import { scan } from 'secure-json-parse'
import type { HttpLimits } from './http-limits.ts'
import type { App } from './http-server.ts'
import { findStrangeText } from './plain-text.ts'

/**
 * JSON in UTF-8 is the only kind of body that is read; a feature that takes another kind adds a parser in its scope. A
 * body that is too deep or has too many parts is refused before parsing; keys that would reach into prototypes are
 * refused after it.
 */
export function readJsonBodies(app: App, limits: HttpLimits): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const refusal = refuseEncoding(request) ?? refuseShape(body, limits)
    if (refusal !== null) return done(refusal)
    // A client may name a type and send nothing; the route's schema decides whether that is valid.
    if (body.length === 0) return done(null, undefined)
    try {
      return done(null, parse(decode(utf8, body)))
    } catch (error) {
      return done(error as Error)
    }
  })
}

function refuseEncoding(request: FastifyRequest): SeatwiseError | null {
  const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(request.headers['content-type'] ?? '')?.[1]?.trim()
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return new SeatwiseError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body in UTF-8' })
  }
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return null
  return new SeatwiseError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without a Content-Encoding' })
}

/** Scans bytes only. Outside of strings, every opening bracket adds a level and a part, and every colon adds a part. */
function refuseShape(body: Buffer, { jsonDepth, jsonParts }: HttpLimits): SeatwiseError | null {
  let depth = 0
  let parts = 0
  let inString = false
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]
    if (inString) {
      if (byte === BACKSLASH) index += 1
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1
      parts += 1
      if (depth > jsonDepth) return badShape(`nested deeper than ${jsonDepth} levels`)
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1
    else if (byte === COLON) parts += 1
  }
  return parts > jsonParts ? badShape(`more than ${jsonParts} objects, lists and fields in all`) : null
}

function badShape(what: string): SeatwiseError {
  return new SeatwiseError('BAD_REQUEST', { message: `The body is too complicated: ${what}` })
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const COLON = 0x3a

function decode(utf8: TextDecoder, body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch (error) {
    if (error instanceof TypeError) {
      throw new SeatwiseError('MALFORMED_JSON', { message: 'The body is not valid UTF-8' })
    }
    throw error
  }
}

/** In two steps, so that a client that sent valid JSON learns what else is wrong with it. */
function parse(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new SeatwiseError('MALFORMED_JSON')
  }
  if (typeof value === 'object' && value !== null && scan(value, { safe: true }) === null) {
    throw new SeatwiseError('BAD_REQUEST', {
      message: 'The body has a field name that is not allowed: __proto__ or constructor.prototype',
    })
  }
  const strange = findStrangeText(value, 'body')
  if (strange !== null) {
    throw new SeatwiseError('BAD_REQUEST', {
      message: `${strange} must be well-formed Unicode text without control characters`,
      details: { field: strange },
    })
  }
  return value
}
