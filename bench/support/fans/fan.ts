import { setTimeout as delay } from 'node:timers/promises'
import { post } from '../box-office/house.ts'
import type { Sale } from '../box-office/sale.ts'
import type { Answer } from '../http/converse.ts'
import type { Lines } from './lines.ts'

/** A challenge as a refused join has it. */
export interface Challenge {
  readonly algorithm: string
  readonly challenge: string
  readonly salt: string
  readonly signature: string
  readonly maxnumber: number
}

export type Solve = (challenge: Challenge) => string | Promise<string>

/** How a fan got into the line. */
export interface Visit {
  readonly proofs: number
  /** The server was too busy and said when to come back. */
  readonly askedAgain: number
}

/** What Chromium sends when a link is followed. */
const BROWSER: Readonly<Record<string, string>> = {
  'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile',
  accept: 'text/html,application/xhtml+xml',
  'accept-language': 'en',
  'accept-encoding': 'gzip, br',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
}
const TRIES_MAX = 20

/** As many addresses of as many households as needed. */
export function addressOf(fan: number): string {
  return [10, (fan >> 16) & 255, (fan >> 8) & 255, fan & 255].join('.')
}

/** Opens the waiting page, which joins; where joining costs a proof, its script joins with one. */
export async function comeInLine(lines: Lines, { eventId }: Sale, address: string, solve: Solve): Promise<Visit> {
  const from = { 'x-forwarded-for': address }
  const visit = { proofs: 0, askedAgain: 0 }
  const insist = async (request: Buffer): Promise<Answer> => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const answer = await lines.ask(request)
      if (answer.status !== 503) return answer
      visit.askedAgain += 1
      await delay(retryAfterMs(answer))
    }
    throw new Error('A fan was asked to come again too often')
  }
  const page = await insist(open(lines.url, `/events/${eventId}/wait`, { ...BROWSER, ...from }))
  if (page.status !== 200) throw new Error(`The waiting page was answered ${page.status}`)
  if (isInLine(page)) return visit
  const path = `/api/events/${eventId}/queue/join`
  let joined = await insist(post(lines.url, path, from))
  while (joined.status === 403 && visit.proofs < TRIES_MAX) {
    const proof = await solve(challengeOf(joined))
    visit.proofs += 1
    joined = await insist(post(lines.url, path, from, { proof }))
  }
  if (joined.status !== 200) throw new Error(`Joining was answered ${joined.status}: ${joined.body}`)
  return visit
}

/** The challenge of a refused join; any other refusal ends the measurement. */
export function challengeOf({ status, body }: Answer): Challenge {
  const { challenge } = JSON.parse(body) as { challenge?: Challenge }
  if (challenge === undefined) throw new Error(`No challenge: ${status} ${body}`)
  return challenge
}

/** The page that joined gives the browser its ticket. */
function isInLine({ head }: Answer): boolean {
  return /^set-cookie: [\w-]*tickets=/im.test(head)
}

/** Clients come back at a moment of their own within a second. */
function retryAfterMs({ head }: Answer): number {
  const [, seconds = '1'] = /^retry-after: (\d+)/im.exec(head) ?? []
  return (Number(seconds) + Math.random()) * 1_000
}

function open(url: string, path: string, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${lines.join('')}\r\n`)
}
