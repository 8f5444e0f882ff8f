import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Child, type Server, startChild, waitUntil } from '@seatwise/testbench'
import { WebSocket } from 'ws'
import { newAccessToken } from '../box-office/sale.ts'
import { cpuSeconds } from '../cpu-time.ts'
import { median, percentile } from '../statistics.ts'
import type { Listener } from './push-crowd.ts'
import { PushListeners } from './push-listeners.ts'

export const SOCKETS = 5_000
/** Visitors with measured turns: at the head of the line, in the process that measures. */
const MEASURED = 220
const TURNS = 200
/** A turn every so often, so that broadcasts go on all the time. */
const TURN_MS = 40
const BROADCASTS = 20
const ROUNDS = 3

export interface PushFigures {
  readonly turnMs: { readonly p50: number; readonly p99: number }
  readonly broadcast: number
  readonly raw: number
  readonly ratio: number
  readonly cpuMicros: { readonly ours: number; readonly raw: number }
  readonly bytesPerSocket: { readonly ours: number; readonly raw: number }
}

interface Ticket {
  readonly ticketToken: string
  readonly ticketId: string
}

interface Sale {
  readonly eventId: string
  readonly server: Server
  readonly admin: string
}

export async function measurePush(server: Server): Promise<PushFigures> {
  const sale = await openSale(server)
  const tickets = await joinAll(sale, SOCKETS)
  const raw = await startChild('raw ws', process.execPath, [`${import.meta.dirname}/raw-push-server.ts`])
  const rawPort = await waitUntil('the raw server listens', () => Number(/^\d+$/m.exec(raw.output())?.[0] ?? 0))
  const [crowd, rawCrowd] = [new PushListeners(), new PushListeners()]
  try {
    const before = [residentBytes(server.pid), residentBytes(raw.pid)]
    const measured = await Promise.all(tickets.slice(0, MEASURED).map((ticket) => listen(sale, ticket)))
    await crowd.open(
      server.url,
      '/realtime',
      tickets.slice(MEASURED).map((ticket) => subscribing(sale, ticket)),
    )
    const silent = tickets.map(() => ({ subscribe: null }))
    await rawCrowd.open(`http://127.0.0.1:${rawPort}`, '/', silent)
    await delay(2_000)
    const [ours = 0, theirs = 0] = [server.pid, raw.pid].map(
      (pid, at) => (residentBytes(pid) - (before[at] ?? 0)) / SOCKETS,
    )
    const turns = await measureTurns(sale, measured)
    const rounds = await measureBroadcasts(sale, { raw, rawPort, crowd, rawCrowd })
    const middle = (field: keyof Round): number => median(rounds.map((round) => round[field]))
    return {
      turnMs: { p50: percentile(turns, 0.5), p99: percentile(turns, 0.99) },
      ...{ broadcast: middle('ours'), raw: middle('raw'), ratio: middle('ratio') },
      cpuMicros: { ours: middle('oursCpu'), raw: middle('rawCpu') },
      bytesPerSocket: { ours, raw: theirs },
    }
  } finally {
    crowd.close()
    rawCrowd.close()
    await raw.kill()
  }
}

/** A floor for one: whenever a visitor leaves it, exactly one other visitor must hear it. */
async function openSale(server: Server): Promise<Sale> {
  const admin = `Bearer ${await server.adminToken()}`
  const room = {
    capacity: 1,
    ratePerMinute: 60_000,
    burst: 1_000,
    heartbeatTimeoutSeconds: 3_600,
    stockAware: false,
    paused: true,
  }
  const sale = {
    name: 'Aurora',
    totalSeats: 10_000,
    salesStartAt: '2020-01-01T00:00:00Z',
    salesEndAt: '2100-01-01T00:00:00Z',
  }
  const event = await call<{ id: string }>(
    `${server.url}/api/events`,
    'POST',
    { authorization: admin },
    { ...sale, room },
  )
  return { eventId: event.id, server, admin }
}

async function joinAll({ eventId, server }: Sale, count: number): Promise<Ticket[]> {
  const tickets: Ticket[] = []
  // In order, a few at a time, so that the first are the first in line.
  for (let from = 0; from < count; from += 50) {
    const joins = Array.from({ length: Math.min(50, count - from) }, () => {
      return call<Ticket>(
        `${server.url}/api/events/${eventId}/queue/join`,
        'POST',
        { authorization: `Bearer ${newAccessToken()}` },
        {},
      )
    })
    tickets.push(...(await Promise.all(joins)))
  }
  return tickets
}

function subscribing({ eventId }: Sale, { ticketId, ticketToken }: Ticket): Listener {
  const channels = [`event:${eventId}:public`, `event:${eventId}:private:${ticketId}`]
  return { subscribe: JSON.stringify({ type: 'subscribe', channels, ticketToken, without: ['SEATS'] }) }
}

interface Measured {
  readonly ticket: Ticket
  /** When they heard that it is their turn. */
  turnAt: number | null
}

async function listen(sale: Sale, ticket: Ticket): Promise<Measured> {
  const socket = new WebSocket(`${sale.server.url.replace('http', 'ws')}/realtime`, { perMessageDeflate: false })
  const measured: Measured = { ticket, turnAt: null }
  await new Promise<void>((resolve) => {
    socket.on('open', () => socket.send(subscribing(sale, ticket).subscribe ?? ''))
    socket.on('message', (data: Buffer) => {
      resolve()
      if (data.includes('"type":"ACTIVE"')) measured.turnAt ??= performance.now()
    })
  })
  return measured
}

/** The visitor on the floor leaves; milliseconds until the next one hears it. The head of the line is in no set order. */
async function measureTurns(sale: Sale, measured: readonly Measured[]): Promise<number[]> {
  await call(
    `${sale.server.url}/api/events/${sale.eventId}/room`,
    'PATCH',
    { authorization: sale.admin },
    { paused: false },
  )
  const left = new Set(measured)
  const next = (): Promise<Measured> =>
    waitUntil('somebody hears that it is their turn', () => [...left].find(({ turnAt }) => turnAt !== null), {
      everyMs: 1,
    })
  const times: number[] = []
  let onFloor = await next()
  while (times.length < TURNS) {
    left.delete(onFloor)
    await delay(TURN_MS)
    const leftAt = performance.now()
    await call(`${sale.server.url}/api/events/${sale.eventId}/queue`, 'DELETE', {
      'seatwise-ticket': onFloor.ticket.ticketToken,
    })
    onFloor = await next()
    times.push((onFloor.turnAt ?? 0) - leftAt)
  }
  return times
}

interface Round {
  readonly ours: number
  readonly raw: number
  readonly ratio: number
  readonly oursCpu: number
  readonly rawCpu: number
}

/** The same number of messages of the same length to the same number of sockets, by us and by the library alone. */
async function measureBroadcasts(
  sale: Sale,
  { raw, rawPort, crowd, rawCrowd }: { raw: Child; rawPort: number; crowd: PushListeners; rawCrowd: PushListeners },
): Promise<Round[]> {
  const room = `${sale.server.url}/api/events/${sale.eventId}/room`
  await call(room, 'PATCH', { authorization: sale.admin }, { paused: true })
  const say = (text: string) => call(room, 'PATCH', { authorization: sale.admin }, { message: text })
  const body = {
    type: 'MESSAGE',
    text: 'Doors open at seven',
    channel: `event:${sale.eventId}:public`,
    epoch: 1,
    seq: 12_345,
  }
  const sayRaw = () => call(`http://127.0.0.1:${rawPort}`, 'POST', {}, body)
  const ofCrowd = (SOCKETS - MEASURED) * BROADCASTS
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await timed(sale.server.pid, crowd, ofCrowd, () => say('Doors open at seven'))
    const theirs = await timed(raw.pid, rawCrowd, SOCKETS * BROADCASTS, sayRaw)
    // The few who are measured elsewhere got it, too.
    const oursRate = (SOCKETS * BROADCASTS) / ours.seconds
    const rawRate = (SOCKETS * BROADCASTS) / theirs.seconds
    const micros = ({ cpu }: { cpu: number }): number => (cpu * 1e6) / (SOCKETS * BROADCASTS)
    rounds.push({
      ours: oursRate,
      raw: rawRate,
      ratio: oursRate / rawRate,
      oursCpu: micros(ours),
      rawCpu: micros(theirs),
    })
  }
  return rounds
}

async function timed(
  pid: number,
  listeners: PushListeners,
  messages: number,
  broadcast: () => Promise<unknown>,
): Promise<{ seconds: number; cpu: number }> {
  const cpuBefore = usedSeconds(pid)
  const startedAt = performance.timeOrigin + performance.now()
  const heard = listeners.hear('MESSAGE', messages)
  for (let count = 0; count < BROADCASTS; count += 1) await broadcast()
  const seconds = ((await heard) - startedAt) / 1_000
  return { seconds, cpu: usedSeconds(pid) - cpuBefore }
}

function usedSeconds(pid: number): number {
  return cpuSeconds({ server: pid }).get('server') ?? 0
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}

async function call<Answer>(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  const content = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...content },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`)
  return (text === '' ? null : JSON.parse(text)) as Answer
}
