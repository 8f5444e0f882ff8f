import { openSale, type Seller } from '../support/box-office/sale.ts'
import { type Answer, converse, converseAll } from '../support/http/converse.ts'
import { mean } from '../support/statistics.ts'
import { joinRequest, pollRequest } from './requests.ts'
import type { Subject } from './subject.ts'
import { type Timed, timed } from './timed.ts'
import { type Driven, runWrk } from './wrk.ts'

/** More joins than one server answers in a second. */
const JOINS_PER_SECOND_MAX = 25_000
const CEILING_VISITORS = 10_000
const PREPARE_CONNECTIONS = 64
/** Tickets nearer to the head are answered by asking the store. */
const NEAR_MAX = 2_000
const SAMPLED = 200
/** Longer than the run: the tickets that wrk does not reach must not expire in the meantime. */
const KEPT_SECONDS = 3_600

/** A server for which the bench can prepare visitors. */
export interface Doorman extends Seller {
  newAccessToken(): string
}

/** New visitors join one room with the default settings, each once. */
export async function driveJoins(
  subject: Subject,
  url: URL,
  connections: number,
  seconds: number,
): Promise<Timed<Driven>> {
  const requests = joinRequests(subject, url, seconds * JOINS_PER_SECOND_MAX)
  return await timed(subject, () => runWrk({ url, connections, seconds, requests, order: 'once', expect: 'accepted' }))
}

/** The same requests, sent to a ceiling, which does not look at the visitors: they may come again. */
export async function joinCeiling(subject: Doorman, url: URL, connections: number, seconds: number): Promise<Driven> {
  const requests = joinRequests(subject, url, CEILING_VISITORS)
  return await runWrk({ url, connections, seconds, requests, order: 'turns', expect: 'accepted' })
}

export const joinRequests = (subject: Doorman, url: URL, count: number): string[] =>
  Array.from({ length: count }, () => joinRequest(url, subject.newAccessToken()))

export async function drivePolls(
  subject: Subject,
  waiting: WaitingRoom,
  connections: number,
  seconds: number,
): Promise<Timed<Driven>> {
  return await timed(subject, () => runPolls(waiting.statusUrl, waiting, connections, seconds))
}

/** The polls, sent to the room or to a ceiling. */
export async function runPolls(
  url: URL,
  { tickets }: WaitingRoom,
  connections: number,
  seconds: number,
): Promise<Driven> {
  const requests = tickets.map((ticket) => pollRequest(url, ticket))
  return await runWrk({ url, connections, seconds, requests, order: 'turns', expect: 'accepted' })
}

/** A room with a long line, and the tickets in it that are far from the head. */
export interface WaitingRoom {
  readonly statusUrl: URL
  readonly tickets: readonly string[]
}

export async function fillRoom(subject: Doorman, visitors: number): Promise<WaitingRoom> {
  const { eventId } = await openSale(subject, { heartbeatTimeoutSeconds: KEPT_SECONDS })
  const tickets = await joinAll(subject, eventId, visitors)
  return { statusUrl: statusUrl(subject, eventId), tickets: tickets.slice(NEAR_MAX) }
}

async function joinAll(subject: Doorman, eventId: string, visitors: number): Promise<string[]> {
  const url = joinUrl(subject, eventId)
  const tickets: string[] = []
  let left = visitors
  const next = () => (left-- > 0 ? Buffer.from(joinRequest(url, subject.newAccessToken())) : null)
  await converseAll(url, PREPARE_CONNECTIONS, next, async (conversation, request) => {
    const { status, body } = await conversation.ask(request)
    if (status !== 200) throw new Error(`A join was answered ${status}: ${body}`)
    tickets.push((JSON.parse(body) as { ticketToken: string }).ticketToken)
  })
  return tickets
}

export interface Samples {
  readonly join: Answer
  readonly poll: Answer
  /** Mean of what far visitors of a room with the default settings are told. */
  readonly pollAfterMs: number
}

/** What a visitor at the end of a line is answered. */
export async function sample(subject: Doorman): Promise<Samples> {
  const { eventId } = await openSale(subject)
  await joinAll(subject, eventId, NEAR_MAX + SAMPLED)
  const [joining, status] = [joinUrl(subject, eventId), statusUrl(subject, eventId)]
  const conversation = await converse(joining)
  try {
    const join = await conversation.ask(Buffer.from(joinRequest(joining, subject.newAccessToken())))
    const { ticketToken } = JSON.parse(join.body) as { ticketToken: string }
    const polls: Answer[] = []
    for (let poll = 0; poll < SAMPLED; poll += 1) {
      polls.push(await conversation.ask(Buffer.from(pollRequest(status, ticketToken))))
    }
    const [poll] = polls
    if (poll === undefined) throw new Error('No poll was answered')
    const pauses = polls.map(({ body }) => (JSON.parse(body) as { pollAfterMs: number }).pollAfterMs)
    return { join, poll, pollAfterMs: mean(pauses) }
  } finally {
    conversation.end()
  }
}

export const joinUrl = ({ url }: Seller, eventId: string): URL => new URL(`/api/events/${eventId}/queue/join`, url)

const statusUrl = ({ url }: Seller, eventId: string): URL => new URL(`/api/events/${eventId}/queue/status`, url)
