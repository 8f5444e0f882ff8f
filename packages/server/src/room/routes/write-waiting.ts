import type { FastifyReply } from 'fastify'
import { writeText } from '../../write-text.ts'
import type { Room, RoomView } from '../room.ts'
import { ticketId } from '../tokens/ticket-id.ts'
import type { Profile } from './tell-standing.ts'

/**
 * What a visitor is told whose ticket waits, as JSON: the same as `tellStanding` says (a test compares them). A crowd
 * asks for nothing else, and an object, the promises around it and a general serialiser cost as much as the whole rest
 * of the answer.
 */
export function writeWaiting(room: Room, view: RoomView, rank: number, exact: boolean, profile: Profile): string {
  const { p50, p90, reason } = room.estimate(view.number, rank)
  const { name, avatar } = profile
  return (
    `{"status":"waiting","ticketId":"${ticketId(room.id, view.number)}","rank":${rank},"position":${rank + 1},` +
    `"place":${view.place},"exact":${exact},"queueLength":${view.waiting},"estimatedWaitSeconds":${p50},` +
    `"eta":{"p50":${p50},"p90":${p90},"reason":${reason === null ? 'null' : `"${reason}"`}},` +
    `"name":${writeText(name)},"avatar":${writeText(avatar)},` +
    `"joinedAt":"${writeTime(view.joinedAt)}","pollAfterMs":${room.pollAfterMs(rank, p50)},"push":${room.shouldListen(rank)},` +
    `"epoch":${view.epoch},"seq":${view.seq}}`
  )
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends what is written already. */
export function sendJson(reply: FastifyReply, json: string): void {
  reply.header('content-type', JSON_TYPE).send(json)
}

const HOUR_MS = 3_600_000
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
/** The hour that was written last: a crowd joins within a few. */
let lastHour = { hour: Number.NaN, text: '' }

/** As toISOString, which takes eight times as long. */
function writeTime(ms: number): string {
  const hour = Math.floor(ms / HOUR_MS)
  if (lastHour.hour !== hour)
    lastHour = { hour, text: new Date(hour * HOUR_MS).toISOString().slice(0, 'YYYY-MM-DDTHH:'.length) }
  const rest = ms - hour * HOUR_MS
  const fraction = rest % 1_000
  const zeros = fraction < 10 ? '00' : fraction < 100 ? '0' : ''
  const [minutes, seconds] = [Math.floor(rest / 60_000), Math.floor(rest / 1_000) % 60]
  return `${lastHour.text}${TWO_DIGITS[minutes]}:${TWO_DIGITS[seconds]}.${zeros}${fraction}Z`
}
