import { type ErrorCode, SeatwiseError } from '@seatwise/domain'
import type { Outside } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import type { Room } from '../../../rooms/index.ts'
import type { PageParts } from '../page-parts.ts'

/** What the visitor sent with the joining that was refused. */
export interface RefusedHow {
  readonly waited?: string | undefined
  readonly invitation?: string | undefined
}

/** Where a visitor whose joining was refused stands, and why; null for an error that is no such refusal. */
export function outsideOf(
  parts: PageParts,
  request: FastifyRequest,
  room: Room,
  error: unknown,
  how: RefusedHow,
): Outside | null {
  const why = error instanceof SeatwiseError ? OUTSIDE[error.code] : undefined
  if (why === undefined || !(error instanceof SeatwiseError)) return null
  switch (why) {
    case 'invited':
      return { status: 'outside', why, isWrong: how.invitation !== undefined }
    case 'device':
      return { status: 'outside', why, verdict: verdictOnDevice(error) }
    case 'challenge':
      return { status: 'outside', why, wait: waitOf(parts, request, room, error.code, how) }
    case 'rush':
      return { status: 'outside', why, retrySeconds: error.retryAfterSeconds ?? 1 }
    default:
      return { status: 'outside', why }
  }
}

const OUTSIDE: Partial<Record<ErrorCode, Outside['why']>> = {
  SALES_NOT_STARTED: 'before',
  SALES_ENDED: 'ended',
  EVENT_CANCELLED: 'ended',
  SOLD_OUT: 'sold_out',
  UNAUTHORIZED: 'sign_in',
  GUESTS_NOT_ALLOWED: 'sign_in',
  QUEUE_FULL: 'full',
  TOO_MANY_GUESTS: 'guests',
  DUPLICATE_DEVICE: 'device',
  NOT_INVITED: 'invited',
  NOT_VERIFIED: 'verified',
  OVERLOADED: 'rush',
  CHALLENGE_REQUIRED: 'challenge',
  CHALLENGE_FAILED: 'challenge',
}

/** What the visitor tells the organiser, and whether they did. */
function verdictOnDevice({ details }: SeatwiseError): { reference: string; isAsked: boolean } {
  const { id, appealedAt } = details.verdict as { id: string; appealedAt: string | null }
  return { reference: id.slice(0, 8).toUpperCase(), isAsked: appealedAt !== null }
}

/** Of a visitor without a script: the wait that was begun, unless it was spent; else a new one. */
function waitOf(
  { roomTokens }: PageParts,
  { ip }: FastifyRequest,
  room: Room,
  code: ErrorCode,
  { waited }: RefusedHow,
): { token: string; seconds: number } {
  const { waits } = roomTokens
  const isSpent = code === 'CHALLENGE_FAILED'
  const begun = waited === undefined || isSpent ? null : waits.resume(room, ip, waited)
  return begun ?? waits.begin(room, ip)
}
