import type { JsonSchema, Operation, Parameter } from '../../support/openapi.ts'
import type { Call } from './call.ts'
import { generate, type Known, type Source } from './generate.ts'
import { HOSTILE_BODIES, HOSTILE_TEXTS } from './hostile-values.ts'
import type { Random } from './random.ts'

/** The caller, and the credentials it sends. */
export interface Caller {
  readonly authorization: string | null
  readonly ticket: string
  readonly pass: string
}

const CONTENT_TYPES = ['text/plain', 'application/json; charset=latin1', 'multipart/form-data', 'x', '']
const DECISIVE_HEADERS = [
  'authorization',
  'seatwise-ticket',
  'seatwise-pass',
  'seatwise-guest',
  'idempotency-key',
  'cookie',
  'accept',
  'accept-language',
  'accept-encoding',
  'if-none-match',
  'last-event-id',
  'user-agent',
  'x-request-id',
  'x-forwarded-for',
  'forwarded',
  'origin',
  'sec-fetch-site',
  'sec-purpose',
]

/** Where a call is hostile. The rest of it is as the description says, because otherwise it would get nowhere. */
const PLACES = ['path', 'query', 'query', 'body', 'body', 'header', 'nowhere'] as const
type Place = (typeof PLACES)[number]

/** Enough for about one strange value in a body of a few fields. */
const BODY_SHARE = 0.15
const QUERY_SHARE = 0.6

/** One call of an operation: as its description says, and hostile in one place. */
export function writeCall(random: Random, known: Known, operation: Operation, caller: Caller): Call {
  const place = placeIn(random, operation)
  const at = (where: Place, share: number): Source => ({ random, known, hostileShare: where === place ? share : 0 })
  const { method } = operation
  const path = pathOf(at('path', 1), operation) + queryOf(at('query', QUERY_SHARE), operation)
  const headers = headersOf(random, caller, place === 'header')
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && place !== 'body') return { method, path, headers, body: null }
  const { body, type } = bodyOf(at('body', BODY_SHARE), operation)
  if (body === null || (isRead && random.chance(0.9))) return { method, path, headers, body: null }
  const contentType = place === 'header' && random.chance(0.2) ? random.pick(CONTENT_TYPES) : type
  return { method, path, headers: { ...headers, 'content-type': contentType }, body }
}

/** One that the operation has. */
function placeIn(random: Random, { url, parameters, method }: Operation): Place {
  const place = random.pick(PLACES)
  if (place === 'query' && !parameters.some((parameter) => parameter.in === 'query')) return 'path'
  if (place === 'body' && method === 'GET') return url.includes(':') ? 'path' : 'query'
  return place
}

function pathOf(source: Source, { url, parameters }: Operation): string {
  const { random, known, hostileShare } = source
  // One parameter at a time: nothing after a path that does not exist is ever read.
  const strange = random.pick(url.match(/:\w+|\*/g) ?? [''])
  return url.replace(/:(\w+)|\*/g, (whole, name: string | undefined) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? { type: 'string' }
    if (hostileShare > 0 && whole === strange) return percentEncode(random, generate(source, schema, name))
    const real = known.values[`${url} ${whole}`] ?? (schema.type === 'string' ? known.ids : ['1'])
    return percentEncode(random, random.pick(real))
  })
}

function queryOf(source: Source, { parameters }: Operation): string {
  const { random, hostileShare } = source
  const pairs: string[] = []
  for (const { name, required, schema } of parameters.filter(({ in: where }: Parameter) => where === 'query')) {
    if (required !== true && random.chance(0.4)) continue
    const times = random.chance(hostileShare / 10) ? 2 : 1
    for (let time = 0; time < times; time += 1) {
      pairs.push(`${name}=${percentEncode(random, generate(source, schema, name))}`)
    }
  }
  if (random.chance(hostileShare / 10)) pairs.push(`${percentEncode(random, random.pick(HOSTILE_TEXTS))}=1`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** As browsers write it; now and then as it is, where HTTP has no objection. */
function percentEncode(random: Random, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (random.chance(0.1) && /^[\x21-\xff]*$/.test(text)) return text
  // Byte by byte, because half a character has no encoding that `encodeURIComponent` would write.
  return [...text].map((part) => (part.isWellFormed() ? encodeURIComponent(part) : '%ED%A0%80')).join('')
}

function headersOf(
  random: Random,
  { authorization, ticket, pass }: Caller,
  isHostile: boolean,
): Record<string, string> {
  const headers: Record<string, string> = {}
  if (authorization !== null) headers.authorization = authorization
  if (random.chance(0.7)) headers['seatwise-ticket'] = ticket
  if (random.chance(0.4)) headers['seatwise-pass'] = pass
  if (random.chance(0.8)) headers['idempotency-key'] = `key-${random.below(1_000)}`
  if (random.chance(0.1)) headers.accept = 'text/html'
  // Those of pages come from pages.
  if (random.chance(0.7)) headers['sec-fetch-site'] = 'same-origin'
  const text = random.pick(HOSTILE_TEXTS)
  // Node sends no others.
  if (isHostile && /^[\t\x20-\x7e\x80-\xff]*$/.test(text)) headers[random.pick(DECISIVE_HEADERS)] = text
  return headers
}

function bodyOf(source: Source, { body: schema, isForm }: Operation): { body: string | null; type: string } {
  const { random, hostileShare } = source
  const json = 'application/json'
  if (random.chance(hostileShare)) return { body: random.pick(HOSTILE_BODIES), type: json }
  if (isForm === true) return { body: formOf(source, schema ?? {}), type: 'application/x-www-form-urlencoded' }
  if (schema === null) return { body: random.chance(0.7) ? null : '{}', type: json }
  return { body: JSON.stringify(generate(source, schema)) ?? '', type: json }
}

function formOf(source: Source, { properties = {} }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, schema]) => `${name}=${percentEncode(source.random, generate(source, schema, name))}`)
    .join('&')
}
