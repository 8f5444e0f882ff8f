import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord, LogRecord } from '../../records/records.ts'

/**
 * I27. In stock-aware rooms an admitted visitor finds a seat: after an admission there are never more tickets on the floor
 * without a reservation than seats to promise.
 */
export const floorCanReserve: Check = {
  id: 'I27',
  name: 'an admitted visitor can reserve a seat',
  start(): CheckRun {
    const findings = new Findings('admissions with a seat promised', 'admissions to the last seat')
    const rooms = new Map<string, PromisingRoom>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'log') return
        const room = getOrMake(rooms, record.room, () => ({ stock: null, promised: new Set<number>() }))
        follow(room, record)
        if (record.kind !== 'admit' || room.stock === null) return
        findings.count('admissions with a seat promised')
        if (room.promised.size === room.stock) findings.count('admissions to the last seat')
        if (room.promised.size > room.stock) {
          findings.violate(`${room.promised.size} on the floor have ${room.stock} seats promised to them`, record)
        }
      },
      finish: () => findings.verdict('admissions with a seat promised'),
    }
  },
}

interface PromisingRoom {
  /** Null when stock does not decide. */
  stock: number | null
  /** Tickets on the floor without a reservation. */
  readonly promised: Set<number>
}

function follow(room: PromisingRoom, record: LogRecord): void {
  switch (record.kind) {
    case 'stock':
      room.stock = record.remaining
      return
    case 'admit':
      room.promised.add(record.ticket)
      return
    case 'reserve':
      if (record.deadlineMs === null) room.promised.add(record.ticket)
      else room.promised.delete(record.ticket)
      return
    case 'correct':
      if (record.state === 'completed' || record.hasReservation) room.promised.delete(record.ticket)
      else room.promised.add(record.ticket)
      return
    case 'complete':
    case 'expire':
    case 'leave':
    case 'merged':
    case 'terminate':
      room.promised.delete(record.ticket)
      return
    default:
      return
  }
}
