import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { ClientRecord, HistoryRecord, LogRecord } from '../../records/records.ts'
import { RoomReplay } from '../../replay/room-replay.ts'

/**
 * I28. Across rebuilds no number is drawn twice, no identity has two live tickets, no ended ticket returns, and a returning
 * ticket has its old place. Checked in every history; vacuous without a rebuild.
 */
export const rebuildsKeepTheLine: Check = {
  id: 'I28',
  name: 'a rebuild keeps numbers, identities, ends and order',
  start(): CheckRun {
    const findings = new Findings(
      ...['rebuilds', 'tickets drawn', 'tickets kept', 'tickets brought back', 'tickets corrected'],
    )
    const rooms = new Map<string, RebuiltRoom>()
    const room = (name: string): RebuiltRoom =>
      getOrMake(rooms, name, () => ({
        ...{ replay: new RoomReplay(), live: new Map<string, number>(), highest: 0, epochs: 0 },
        ...{ places: new Map<number, ToldPlace>(), told: new Map<number, ClientRecord>() },
      }))
    return {
      see(record: HistoryRecord) {
        if (record.record === 'log') judgeEntry(findings, room(record.room), record)
        else if (record.record === 'client' && record.room !== undefined) remember(findings, room(record.room), record)
      },
      finish() {
        for (const each of rooms.values()) judgePlaces(findings, each)
        return findings.verdict('rebuilds')
      },
    }
  },
}

interface ToldPlace {
  readonly place: number
  readonly record: LogRecord
}

interface RebuiltRoom {
  readonly replay: RoomReplay
  /** The live ticket of each identity. */
  readonly live: Map<string, number>
  highest: number
  epochs: number
  /** The place of each ticket, by the log. */
  readonly places: Map<number, ToldPlace>
  /** The first answer about each ticket. */
  readonly told: Map<number, ClientRecord>
}

type Drawn = Extract<LogRecord, { kind: 'join' | 'return' }>

function judgeEntry(findings: Findings, room: RebuiltRoom, record: LogRecord): void {
  const before = 'ticket' in record ? room.replay.tickets.get(record.ticket) : undefined
  const was = before?.state
  const owner = before?.identity
  if (!room.replay.apply(record)) return
  if (record.kind === 'epoch') {
    room.epochs += 1
    if (room.epochs > 1) {
      findings.count('rebuilds')
      findings.count('tickets kept', room.live.size)
    }
  }
  if (record.kind === 'correct') findings.count('tickets corrected')
  if (!('ticket' in record)) return
  if (record.kind === 'join' || record.kind === 'return') {
    judgeDrawn(findings, room, record, was)
  } else if (record.kind === 'adopt') {
    if (owner !== undefined && owner !== null && room.live.get(owner) === record.ticket) room.live.delete(owner)
    judgeOwner(findings, room, record)
  } else if (was === 'ended') {
    findings.violate(`Ticket ${record.ticket} had ended, and something happened to it again`, record)
  }
  const ticket = room.replay.tickets.get(record.ticket)
  if (ticket?.state === 'ended' && ticket.identity !== null && room.live.get(ticket.identity) === record.ticket) {
    room.live.delete(ticket.identity)
  }
}

function judgeDrawn(findings: Findings, room: RebuiltRoom, record: Drawn, was: string | undefined): void {
  const { ticket, place } = record
  findings.count(record.kind === 'return' ? 'tickets brought back' : 'tickets drawn')
  if (was === 'ended') findings.violate(`Ticket ${ticket} had ended, and is back`, record)
  else if (was !== undefined) findings.violate(`The number ${ticket} was given out twice`, record)
  if (record.kind === 'join' && ticket <= room.highest) {
    findings.violate(`The number ${ticket} was drawn after ${room.highest}`, record)
  }
  judgeOwner(findings, room, record)
  room.highest = Math.max(room.highest, ticket)
  room.places.set(ticket, { place, record })
}

/** One live ticket for each identity. */
function judgeOwner(
  findings: Findings,
  { live }: RebuiltRoom,
  record: LogRecord & { ticket: number; identity: string },
): void {
  const { ticket, identity } = record
  const other = live.get(identity)
  if (other !== undefined && other !== ticket) {
    findings.violate(`The identity of ticket ${other} has ticket ${ticket}, too`, record)
  }
  live.set(identity, ticket)
}

/** What clients were told binds also where the log lost it. */
function remember(findings: Findings, room: RebuiltRoom, record: ClientRecord): void {
  if (record.phase !== 'ok' || record.ticket === undefined || record.identity === undefined) return
  const first = room.told.get(record.ticket)
  if (first === undefined) room.told.set(record.ticket, record)
  else if (first.identity !== record.identity) {
    findings.violate(`Ticket ${record.ticket} was given to two visitors`, first, record)
  }
}

function judgePlaces(findings: Findings, { places, told }: RebuiltRoom): void {
  for (const [ticket, answer] of told) {
    const logged = places.get(ticket)
    if (logged === undefined || answer.place === undefined || answer.place === logged.place) continue
    findings.violate(
      `Ticket ${ticket} was told place ${answer.place}, and stands at ${logged.place}`,
      answer,
      logged.record,
    )
  }
}
