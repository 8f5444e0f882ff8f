import { endOf } from './written-bodies.ts'

interface Header {
  readonly type: 'string'
  readonly description: string
  readonly examples: readonly string[]
}

const KEY: Header = {
  type: 'string',
  description: 'Made up by the caller for one wish: the same key and body get the same answer, and act once',
  examples: ['reserve-0193a7c9'],
}
const REQUIRED = ['POST /reservations', 'POST /api/events/reserve', 'POST /api/purchases', 'POST /sales']
const WITH_PASS = ['POST /reservations', 'POST /api/events/reserve']
const OPTIONAL = ['POST /refund', 'POST /queue/admit', 'POST /api/checkin']

/** Headers that routes read by themselves, with refusals of their own, so that no schema has them. */
export function writtenHeadersOf(method: string, url: string): object | undefined {
  const isRequired = isOneOf(REQUIRED, method, url)
  if (!isRequired && !isOneOf(OPTIONAL, method, url)) return undefined
  return {
    type: 'object',
    properties: { 'Idempotency-Key': KEY },
    ...(isRequired && { required: ['Idempotency-Key'] }),
  }
}

/** Whether a route asks for a pass beside the access token. */
export const takesPass = (method: string, url: string): boolean => isOneOf(WITH_PASS, method, url)

function isOneOf(routes: readonly string[], method: string, url: string): boolean {
  return routes.includes(`${method} ${url}`) || routes.includes(`${method} ${endOf(url)}`)
}
