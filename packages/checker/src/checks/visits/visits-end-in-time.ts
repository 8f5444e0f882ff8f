import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord, LogRecord, RoomLimits } from '../../records/records.ts'

/** How far the clocks of room and ledger may differ: the ledger's clock decides until when seats are reserved. */
const CLOCKS_MS_MAX = 5_000

/** A visit to the floor. `endMs`: end of the session; null when the records do not say. */
interface Visit {
  readonly begun: LogRecord
  endMs: number | null
}

/**
 * I30. A session lasts as long as the room allows, and only an extension in the log moves its end. No reservation of the
 * visit outlasts that end by more than one reservation's time and the time for paying, whatever is replaced, cancelled or
 * handed over. The operator may have changed the times since, so the longest in the history apply.
 */
export const visitsEndInTime: Check = {
  id: 'I30',
  name: 'one admission lasts one session, one reservation and the time for paying',
  start(): CheckRun {
    const findings = new Findings('deadlines of reservations', 'sessions', 'extensions')
    const visits = new Map<string, Visit>()
    let longest: Times | null = null

    const reserve = (record: Extract<LogRecord, { kind: 'reserve' }>, visit: Visit | undefined): void => {
      if (record.deadlineMs === null || longest === null || visit === undefined || visit.endMs === null) return
      findings.count('deadlines of reservations')
      const over = record.deadlineMs - (visit.endMs + longest.reservationMs + longest.payingMs)
      if (over <= CLOCKS_MS_MAX) return
      const message = `Ticket ${record.ticket} keeps seats ${Math.round(over)} ms longer than its visit may last`
      findings.violate(message, visit.begun, record)
    }
    const enter = (record: Extract<LogRecord, { kind: 'enter' }>): void => {
      visits.set(keyOf(record), { begun: record, endMs: record.deadlineMs ?? null })
      if (record.deadlineMs === undefined || longest === null) return
      findings.count('sessions')
      const over = record.deadlineMs - (record.atMs + longest.sessionMs)
      if (over > 0)
        findings.violate(`The session of ticket ${record.ticket} is ${Math.round(over)} ms too long`, record)
    }
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'log') return
        switch (record.kind) {
          case 'epoch':
          case 'settings':
            longest = longer(longest, record)
            return
          case 'admit':
            visits.set(keyOf(record), { begun: record, endMs: record.deadlineMs ?? null })
            return
          case 'enter':
            return enter(record)
          case 'correct':
            visits.set(keyOf(record), { begun: record, endMs: record.sessionEndMs })
            return
          case 'extend': {
            findings.count('extensions')
            const visit = visits.get(keyOf(record))
            if (visit !== undefined) visit.endMs = record.sessionEndMs ?? null
            return
          }
          case 'reserve':
            return reserve(record, visits.get(keyOf(record)))
          case 'complete':
          case 'expire':
          case 'leave':
          case 'merged':
          case 'terminate':
            visits.delete(keyOf(record))
            return
          default:
            return
        }
      },
      finish: () => findings.verdict('deadlines of reservations'),
    }
  },
}

type Times = Required<Pick<RoomLimits, 'sessionMs' | 'reservationMs' | 'payingMs'>>

/** Null until the records have all of them. */
function longer(before: Times | null, { sessionMs, reservationMs, payingMs }: RoomLimits): Times | null {
  if (sessionMs === undefined || reservationMs === undefined || payingMs === undefined) return before
  return {
    sessionMs: Math.max(before?.sessionMs ?? 0, sessionMs),
    reservationMs: Math.max(before?.reservationMs ?? 0, reservationMs),
    payingMs: Math.max(before?.payingMs ?? 0, payingMs),
  }
}

function keyOf({ room, ticket }: { readonly room: string; readonly ticket: number }): string {
  return `${room} ${ticket}`
}
