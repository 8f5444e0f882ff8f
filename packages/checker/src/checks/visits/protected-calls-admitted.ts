import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { ClientRecord, HistoryRecord, LogRecord } from '../../records/records.ts'
import { LostTails } from '../../replay/lost-tails.ts'
import { RoomReplay } from '../../replay/room-replay.ts'

/**
 * I20. Every protected call had an admission of that ticket, in that room, inside its time. In the log, acts on the floor are
 * by tickets on the floor before their deadline. For clients, a served protected call belongs to a ticket that the log
 * admitted, and that no client knew to have ended before the call began. The admission may be in the lost tail of an epoch.
 */
export const protectedCallsAdmitted: Check = {
  id: 'I20',
  name: 'protected calls had an admission, inside its window',
  start(): CheckRun {
    const findings = new Findings(
      ...['acts on the floor', 'protected calls served', 'protected calls refused', 'served in a tail that was lost'],
    )
    const rooms = new Map<string, GuardedRoom>()
    const room = (name: string): GuardedRoom =>
      getOrMake(rooms, name, () => ({
        ...{ replay: new RoomReplay(), admitted: new Set<number>(), endKnown: new Map<number, ClientRecord>() },
        ...{ invoked: new Map<string, ClientRecord>(), served: [], lostTails: new LostTails() },
      }))
    return {
      see(record: HistoryRecord) {
        if (record.record === 'log') judgeEntry(findings, room(record.room), record)
        else if (record.record === 'client' && record.room !== undefined) follow(findings, room(record.room), record)
      },
      finish() {
        for (const each of rooms.values()) judgeCalls(findings, each)
        return findings.verdict('acts on the floor')
      },
    }
  },
}

interface GuardedRoom {
  readonly replay: RoomReplay
  readonly admitted: Set<number>
  /** The first answer that said that a ticket had ended. */
  readonly endKnown: Map<number, ClientRecord>
  readonly invoked: Map<string, ClientRecord>
  readonly served: ClientRecord[]
  readonly lostTails: LostTails
}

function judgeEntry(findings: Findings, room: GuardedRoom, record: LogRecord): void {
  const before = 'ticket' in record ? room.replay.tickets.get(record.ticket) : undefined
  const was = before === undefined ? undefined : { state: before.state, deadlineMs: before.deadlineMs }
  if (!room.replay.apply(record)) return
  if (record.kind === 'admit' || record.kind === 'correct') room.admitted.add(record.ticket)
  room.lostTails.follow(record)
  if (!isActOnFloor(record)) return
  findings.count('acts on the floor')
  if (was?.state !== 'floor') {
    findings.violate(`Ticket ${record.ticket} was not on the floor`, record)
  } else if (was.deadlineMs !== null && record.atMs >= was.deadlineMs) {
    findings.violate(`The time of ticket ${record.ticket} was over at ${was.deadlineMs}`, record)
  }
}

/** Losing a reservation is no act of the visitor, so it may happen at any time. */
function isActOnFloor(
  record: LogRecord,
): record is Extract<LogRecord, { kind: 'enter' | 'extend' | 'complete' | 'reserve' }> {
  if (record.kind === 'reserve') return record.deadlineMs !== null
  return record.kind === 'enter' || record.kind === 'extend' || record.kind === 'complete'
}

function follow(findings: Findings, room: GuardedRoom, record: ClientRecord): void {
  const { ticket, state } = record
  if (record.phase === 'invoke') room.invoked.set(record.call, record)
  if (record.phase === 'ok' && ticket !== undefined && (state === 'completed' || state === 'expired')) {
    const known = room.endKnown.get(ticket)
    if (known === undefined || record.monotonicMs < known.monotonicMs) room.endKnown.set(ticket, record)
  }
  if (record.isProtected !== true || record.phase === 'invoke') return
  if (record.phase === 'fail') findings.count('protected calls refused')
  if (record.phase === 'ok') room.served.push(record)
}

function judgeCalls(findings: Findings, { admitted, endKnown, invoked, served, lostTails }: GuardedRoom): void {
  for (const record of served) {
    findings.count('protected calls served')
    const { ticket, fence } = record
    if (ticket === undefined || !admitted.has(ticket)) {
      if (fence !== undefined && lostTails.mayHold(fence)) {
        findings.count('served in a tail that was lost')
        continue
      }
      findings.violate(
        `${record.client} was served with ticket ${ticket ?? 'unknown'}, which was never admitted`,
        record,
      )
      continue
    }
    const end = endKnown.get(ticket)
    const invoke = invoked.get(record.call)
    if (end !== undefined && invoke !== undefined && end.call !== record.call && end.monotonicMs < invoke.monotonicMs) {
      findings.violate(`Ticket ${ticket} was served after it was known to have ended`, end, record)
    }
  }
}
