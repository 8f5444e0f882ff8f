import { SeatwiseError } from '@seatwise/domain'
import type { FastifyRequest } from 'fastify'
import type { HttpLimits } from './http-limits.ts'
import type { App } from './http-server.ts'

/**
 * JSON in UTF-8 is the only kind of body that is read; a feature that takes another adds its own parser in its scope.
 * What is too deep is refused before it is parsed, and keys that would reach into prototypes after.
 */
export function readJsonBodies(app: App, limits: HttpLimits): void {
  const parseSafely = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const refusal = refuseEncoding(request) ?? refuseDepth(body, limits.jsonDepth)
    if (refusal !== null) return done(refusal)
    const text = decode(utf8, body)
    if (text === null) return done(new SeatwiseError('MALFORMED_JSON', { message: 'The body is not valid UTF-8' }))
    return parseSafely(request, text, (error, value) => done(error === null ? null : explain(error, text), value))
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

/** Looks at bytes only; outside of strings every bracket that opens goes one deeper. */
function refuseDepth(body: Buffer, depthMax: number): SeatwiseError | null {
  let depth = 0
  let inString = false
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]
    if (inString) {
      if (byte === BACKSLASH) index += 1
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1
      if (depth > depthMax) {
        return new SeatwiseError('BAD_REQUEST', { message: `The body is nested deeper than ${depthMax} levels` })
      }
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1
  }
  return null
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

function decode(utf8: TextDecoder, body: Buffer): string | null {
  try {
    return utf8.decode(body)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** The parser says "not valid" for both; whoever sent valid JSON deserves to know what is wrong with it. */
function explain(error: Error, text: string): Error {
  try {
    JSON.parse(text)
  } catch {
    return error
  }
  return new SeatwiseError('BAD_REQUEST', {
    message: 'The body has a field name that is not allowed: __proto__ or constructor.prototype',
  })
}
