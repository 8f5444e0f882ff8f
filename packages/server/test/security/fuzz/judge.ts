import { ERRORS } from '@seatwise/domain'
import { parseRecord } from '@seatwise/testbench'
import type { Heard } from './call.ts'

const FIELDS = ['statusCode', 'error', 'code', 'message', 'timestamp', 'path']
const INSIDES = /\bat \S+ \(|\.ts:\d+|node_modules|select .+ from |syntax error|ECONN|invalid input|invalid byte/i

/** What is wrong with an answer, whatever was asked; null if nothing is. */
export function judge({ status, headers, body }: Heard): string | null {
  const type = String(headers['content-type'] ?? '')
  if (status >= 500 && status !== 503) return `a ${status}`
  if ((status === 429 || status === 503) && headers['retry-after'] === undefined) return 'no Retry-After'
  if (status >= 400 && INSIDES.test(body)) return 'insides of the server'
  if (status >= 400 && type.startsWith('text/html')) return null
  if (status >= 400) return judgeError(status, type, body)
  return type.startsWith('application/json') && !isJson(body) ? 'broken JSON' : null
}

function judgeError(status: number, type: string, body: string): string | null {
  if (!type.startsWith('application/json') || !isJson(body)) return 'an error that is not JSON'
  const error = parseRecord(body)
  const missing = FIELDS.filter((field) => error[field] === undefined)
  if (missing.length > 0) return `an error without ${missing.join(', ')}`
  const known = Object.entries(ERRORS).find(([code]) => code === error.code)?.[1]
  if (known === undefined) return `the code ${String(error.code)}, which is not in the catalogue`
  return known.status === status && error.statusCode === status ? null : `the code ${String(error.code)} with ${status}`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
