import { STATUS_CODES } from 'node:http'
import { type ErrorCode, SeatwiseError } from '@seatwise/domain'
import { isLedgerAway } from '@seatwise/ledger'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { validationError } from './validation.ts'

/** The wire format of every error. */
export interface ErrorAnswer {
  statusCode: number
  error: string
  code: ErrorCode
  message: string
  timestamp: string
  path: string
  [detail: string]: unknown
}

const RETRY_AFTER_SECONDS_DEFAULT = 1
const PATH_LENGTH_MAX = 2_048

/**
 * Turns any thrown value into an answer. Anything but a SeatwiseError is a bug: logged in full, answered as INTERNAL.
 */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toSeatwiseError(thrown)
  const requestId = request.id
  if (error.code === 'INTERNAL') request.log.error({ requestId, err: error.cause ?? error }, 'request failed')
  // The metrics show overload; thousands of log lines a second would make it worse.
  else if (error.status >= 500 && error.code !== 'OVERLOADED')
    request.log.warn({ requestId, err: error }, 'request refused')
  const retryAfterSeconds = retryAfter(error)
  if (retryAfterSeconds !== null) reply.header('retry-after', String(retryAfterSeconds))
  return reply.code(error.status).type('application/json; charset=utf-8').send(describeError(error, request.raw.url))
}

/** The body of an error answer. `path` leaves out the query string, which may hold secrets. */
export function describeError(error: SeatwiseError, url = '/'): ErrorAnswer {
  const { status: statusCode, code, message, details } = error
  const queryAt = url.indexOf('?')
  const path = url.slice(0, Math.min(queryAt < 0 ? url.length : queryAt, PATH_LENGTH_MAX))
  const timestamp = new Date().toISOString()
  return { ...details, statusCode, error: STATUS_CODES[statusCode] ?? 'Error', code, message, timestamp, path }
}

/** 429 and 503 always say when to retry. */
function retryAfter(error: SeatwiseError): number | null {
  const isTemporary = error.status === 429 || error.status === 503
  const seconds = error.retryAfterSeconds ?? (isTemporary ? RETRY_AFTER_SECONDS_DEFAULT : null)
  return seconds === null ? null : Math.max(1, Math.ceil(seconds))
}

export function toSeatwiseError(thrown: unknown): SeatwiseError {
  if (thrown instanceof SeatwiseError) return thrown
  if (isLedgerAway(thrown)) return new SeatwiseError('UNAVAILABLE', { cause: thrown, retryAfterSeconds: 1 })
  if (!isFastifyError(thrown)) return new SeatwiseError('INTERNAL', { cause: thrown })
  if (thrown.validation !== undefined) return validationError(thrown.validation, thrown.validationContext ?? 'body')
  const code = codeOfFrameworkError(thrown)
  return new SeatwiseError(code, { cause: thrown })
}

function isFastifyError(thrown: unknown): thrown is FastifyError {
  return thrown instanceof Error && ('statusCode' in thrown || 'validation' in thrown)
}

/** Errors of Fastify and its plugins carry a status; only client errors and overload keep theirs. */
function codeOfFrameworkError(error: FastifyError): ErrorCode {
  switch (error.statusCode) {
    case 400:
      return 'BAD_REQUEST'
    case 401:
      return 'UNAUTHORIZED'
    case 403:
      return 'FORBIDDEN'
    case 404:
      return 'NOT_FOUND'
    case 405:
      return 'METHOD_NOT_ALLOWED'
    case 408:
      return 'REQUEST_TIMEOUT'
    case 413:
      return 'BODY_TOO_LARGE'
    case 414:
      return 'BAD_REQUEST'
    case 415:
      return 'UNSUPPORTED_MEDIA_TYPE'
    case 429:
      return 'TOO_MANY_REQUESTS'
    case 503:
      return 'UNAVAILABLE'
    default:
      return 'INTERNAL'
  }
}
