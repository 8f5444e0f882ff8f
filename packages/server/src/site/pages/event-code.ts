import { codeKey, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { type Code, readEvent } from '@seatwise/ledger'
import { type AppliedCode, CODE_VERDICTS, type CodeVerdict } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { openedTypes, readEventId, requireCode } from '../../box-office/index.ts'
import { type App, addCookie, readCookie } from '../../http/index.ts'
import { readPriorityCode } from '../../rooms/index.ts'
import { formOf, NextField } from './forms.ts'
import { ownPath } from './own-path.ts'
import { queryOf } from './page-kit.ts'
import { type PageParts, takingForm } from './page-parts.ts'

const CODE_COOKIE = 'seatwise-code'
/** Longer than a visitor waits, shorter than they remember. */
const KEPT_SECONDS = 86_400
/** A priority code has about 170 characters; all others have at most 40. */
const TYPED_LENGTH_MAX = 300

export const CodeForm = formOf({ code: Type.String({ maxLength: TYPED_LENGTH_MAX }), next: NextField })
type CodeRequest = FastifyRequest<{ Params: { id: string }; Body: Static<typeof CodeForm> }>

/** The form of the field that takes codes of every kind. A browser keeps one code, in a cookie, for the last event. */
export function codePages(app: App, parts: PageParts): void {
  app.post('/events/:id/code', takingForm(CodeForm), async (request: CodeRequest, reply) => {
    const eventId = readEventId(request.params.id)
    const text = request.body.code.trim()
    const verdict = text === '' ? null : await judge(parts, request, eventId, text)
    if (verdict === null || verdict === 'kept') keepCode(parts, { request, reply }, eventId, text)
    return reply.redirect(withVerdict(request.body.next, verdict), 303)
  })
}

async function judge(parts: PageParts, request: FastifyRequest, eventId: string, text: string): Promise<CodeVerdict> {
  const { id: roomId } = await parts.rooms.ofEvent(eventId)
  const priority = readPriorityCode(parts.identity.keys, text)
  if (priority !== null) return priority.room === roomId && priority.expiresAt > parts.now() ? 'kept' : 'unknown'
  try {
    await requireCode(parts, { eventId, text, address: request.ip })
    return 'kept'
  } catch (error) {
    const verdict = verdictOf(error)
    if (verdict === null) throw error
    return verdict
  }
}

/** What to say of a code that was refused; null for any other error. */
export function verdictOf(error: unknown): CodeVerdict | null {
  if (!(error instanceof SeatwiseError)) return null
  switch (error.code) {
    case 'CODE_UNKNOWN':
      return 'unknown'
    case 'CODE_USED_UP':
      return 'usedUp'
    case 'CODE_NOT_APPLICABLE':
      return 'notApplicable'
    case 'TOO_MANY_REQUESTS':
      return 'limited'
    default:
      return null
  }
}

/** Back to a page that says how the code ended; the code itself is in no address. */
export function withVerdict(next: string | undefined, verdict: CodeVerdict | null): string {
  const path = ownPath(next).replace(/\?.*$/, '')
  return verdict === null ? path : `${path}?code=${verdict}`
}

export function readVerdict(request: FastifyRequest): CodeVerdict | null {
  return CODE_VERDICTS.find((verdict) => verdict === queryOf(request, 'code')) ?? null
}

function keepCode(
  { config }: PageParts,
  call: { request: FastifyRequest; reply: FastifyReply },
  eventId: string,
  text: string,
): void {
  const value = text === '' ? '' : `${eventId}.${Buffer.from(text).toString('base64url')}`
  addCookie(config, call, { name: CODE_COOKIE, value, seconds: text === '' ? 0 : KEPT_SECONDS })
}

/** The code that the browser keeps for an event, as it was typed; null without one. */
export function keptCode({ config }: PageParts, request: FastifyRequest, eventId: string): string | null {
  const [of, encoded = ''] = readCookie(config, request, CODE_COOKIE)?.split('.') ?? []
  const text = of === eventId ? Buffer.from(encoded, 'base64url').toString() : ''
  return text === '' || text.length > TYPED_LENGTH_MAX ? null : text
}

/** What a visitor joins with: their priority code; in a presale their access code. */
export function wishesOf(text: string | null, isPresale: boolean): { priorityCode?: string; code?: string } {
  if (text === null) return {}
  if (codeKey(text) === '') return { priorityCode: text }
  return isPresale ? { code: text } : {}
}

/** The kept code, if it is still valid. A cookie can be made up, so that a wrong one counts as a guess. */
export async function findKept(parts: PageParts, request: FastifyRequest, eventId: string): Promise<Code | null> {
  const text = keptCode(parts, request, eventId)
  if (text === null || codeKey(text) === '') return null
  try {
    return await requireCode(parts, { eventId, text, address: request.ip })
  } catch (error) {
    // While the ledger is away the visitor waits on; the code is checked again when they reserve.
    const isAway = error instanceof SeatwiseError && error.code === 'UNAVAILABLE'
    if (verdictOf(error) === null && !isAway) throw error
    return null
  }
}

/** The kept code as pages show it. */
export async function appliedCode(
  parts: PageParts,
  request: FastifyRequest,
  { id, seatTypes }: Pick<SaleEvent, 'id' | 'seatTypes'>,
): Promise<AppliedCode | null> {
  const text = keptCode(parts, request, id)
  if (text !== null && readPriorityCode(parts.identity.keys, text) !== null) return { kind: 'priority' }
  const code = await findKept(parts, request, id)
  return code === null ? null : toApplied(code, seatTypes[0]?.currency ?? 'EUR')
}

export function toApplied({ code: text, reduction, access }: Code, currency: string): AppliedCode {
  const by = { percent: null, amountOff: null, price: null, ...reduction }
  return { kind: 'event', text, ...by, access, currency }
}

/** The event with the hidden seat types of seats that the visitor has reserved. */
export async function withReserved(
  { ledger }: PageParts,
  event: SaleEvent,
  items: readonly { readonly seatTypeId: string }[],
): Promise<SaleEvent> {
  const isReserved = ({ id }: { id: string }) => items.some(({ seatTypeId }) => seatTypeId === id)
  const known = new Set(event.seatTypes.map(({ id }) => id))
  if (items.every(({ seatTypeId }) => known.has(seatTypeId))) return event
  const hidden = (await readEvent(ledger.db, event.id))?.seatTypes.filter((type) => type.hidden && isReserved(type))
  return { ...event, seatTypes: [...event.seatTypes, ...(hidden ?? [])] }
}

/** The event with the hidden seat types that the visitor's code opens. */
export async function withOpened({ ledger }: PageParts, event: SaleEvent, code: Code | null): Promise<SaleEvent> {
  const whole = code?.access === true ? await readEvent(ledger.db, event.id) : null
  if (code === null || whole === null) return event
  return { ...event, seatTypes: [...event.seatTypes, ...openedTypes(whole, code)] }
}
