import { randomUUID } from 'node:crypto'
import type { Server } from '@seatwise/testbench'
import { reserve, type SaleOfShop, send } from '../crash/shop.ts'
import type { ReceivedSpan } from './collector.ts'

/** What the browser asks for when a buyer presses the button that pays. */
export const PAYING = 'POST /checkout/:reservationId/pay'

/** An account buys one seat and pays on the page. Returns what no span may repeat. */
export async function payOnPage(server: Server, sale: SaleOfShop): Promise<readonly string[]> {
  const [key, email] = [randomUUID(), `${randomUUID()}@example.com`]
  const account = { email, password: 'a long password', name: 'Ada' }
  const { body } = await send(server, 'POST', '/api/auth/register', {}, account)
  const authorization = `Bearer ${body.accessToken}`
  const id = await reserve(server, sale, authorization)
  const answer = await fetch(`${server.url}/checkout/${id}/pay`, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization, origin: server.url, connection: 'close' },
    body: new URLSearchParams({ key, method: 'sandbox_ok' }),
  })
  if (answer.status !== 303) throw new Error(`Paying was answered ${answer.status}: ${await answer.text()}`)
  return [String(body.accessToken), key, email]
}

export interface Step {
  readonly name: string
  readonly depth: number
  readonly startMs: number
  readonly tookMs: number
}

/** The spans of one request as a reader sees them: each below the one that it is part of, in the order of time. */
export function stepsOf(spans: readonly ReceivedSpan[], rootName: string): readonly Step[] {
  const root = spans.find(({ name }) => name === rootName)
  if (root === undefined) return []
  const begun = nanosOf(root.startTimeUnixNano)
  const walk = (span: ReceivedSpan, depth: number): Step[] => {
    const startMs = Number(nanosOf(span.startTimeUnixNano) - begun) / 1e6
    const tookMs = Number(nanosOf(span.endTimeUnixNano) - nanosOf(span.startTimeUnixNano)) / 1e6
    const children = spans.filter((other) => other.traceId === span.traceId && other.parentSpanId === span.spanId)
    const inOrder = children.toSorted((one, other) =>
      Number(nanosOf(one.startTimeUnixNano) - nanosOf(other.startTimeUnixNano)),
    )
    return [{ name: span.name, depth, startMs, tookMs }, ...inOrder.flatMap((child) => walk(child, depth + 1))]
  }
  return walk(root, 0)
}

/** Names, each as far to the right as it is deep. */
export const outlineOf = (steps: readonly Step[]): string[] => steps.map(({ name, depth }) => '  '.repeat(depth) + name)

const nanosOf = (text: string): bigint => BigInt(text)

const ROW = 26
const NAMES = 330
const BARS = 470
const EDGE = 16

/** The steps as a picture; its texts are what a test compares. */
export function drawSteps(steps: readonly Step[], title: string): string {
  const total = Math.max(...steps.map(({ startMs, tookMs }) => startMs + tookMs))
  const [width, height] = [EDGE * 2 + NAMES + BARS + 70, EDGE * 2 + 30 + steps.length * ROW]
  const rows = steps.map((step, index) => drawStep(step, total, EDGE + 30 + index * ROW))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>${title}</title>
<rect width="${width}" height="${height}" rx="8" fill="#f8f9fb"/>
<text x="${EDGE}" y="${EDGE + 12}" font-weight="600" fill="#1a1f2b">${title}</text>
${rows.join('\n')}
</svg>
`
}

function drawStep({ name, depth, startMs, tookMs }: Step, total: number, y: number): string {
  const x = EDGE + NAMES + (startMs / total) * BARS
  const length = Math.max(2, (tookMs / total) * BARS)
  const color = name.startsWith('provider.') ? '#b4540a' : name.startsWith('ledger.') ? '#1f7a4d' : '#3355bb'
  return [
    `<text class="step" data-depth="${depth}" x="${EDGE + depth * 16}" y="${y + 17}" fill="#1a1f2b">${name}</text>`,
    `<rect x="${x.toFixed(1)}" y="${y + 5}" width="${length.toFixed(1)}" height="16" rx="3" fill="${color}"/>`,
    `<text x="${EDGE * 1.5 + NAMES + BARS}" y="${y + 17}" fill="#4a5162">${tookMs.toFixed(1)} ms</text>`,
  ].join('\n')
}

/** What a picture shows, as `outlineOf` would say it. */
export const outlineIn = (picture: string): string[] =>
  [...picture.matchAll(/<text class="step" data-depth="(\d+)"[^>]*>([^<]+)</g)].map(
    ([, depth = '0', name = '']) => '  '.repeat(Number(depth)) + name,
  )
