import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord, LogRecord, PriorityClass } from '../../records/records.ts'
import { comesBefore, type ReplayedTicket, RoomReplay } from '../../replay/room-replay.ts'
import { TicketHeap } from '../../replay/ticket-heap.ts'

/** I15. An admitted ticket has no live, present ticket of the same class before it. */
export const firstComeFirstServed: Check = {
  id: 'I15',
  name: 'FIFO among equals',
  start(): CheckRun {
    const findings = new Findings('admissions while equals waited', 'admissions', 'absent tickets')
    const rooms = new Map<string, OrderedRoom>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'log') return
        const room = getOrMake(rooms, record.room, () => ({ replay: new RoomReplay(), lines: new Map() }))
        if (!room.replay.apply(record)) return
        if (record.kind === 'admit') judge(findings, room, record)
        else follow(findings, room, record)
      },
      finish: () => findings.verdict('admissions while equals waited'),
    }
  },
}

interface OrderedRoom {
  readonly replay: RoomReplay
  readonly lines: Map<PriorityClass, TicketHeap>
}

function follow(findings: Findings, room: OrderedRoom, record: LogRecord): void {
  if (record.kind === 'away') findings.count('absent tickets')
  if (!ENTERS_A_LINE.has(record.kind) || !('ticket' in record)) return
  const ticket = room.replay.tickets.get(record.ticket)
  if (ticket?.state === 'waiting') lineOf(room, ticket).push(ticket)
}

/** What puts a ticket into the line of its class. */
const ENTERS_A_LINE: ReadonlySet<LogRecord['kind']> = new Set(['join', 'return', 'back', 'promote'])

function judge(findings: Findings, room: OrderedRoom, record: Extract<LogRecord, { kind: 'admit' }>): void {
  findings.count('admissions')
  const admitted = room.replay.tickets.get(record.ticket)
  if (admitted === undefined) return
  const first = firstPresent(room, lineOf(room, admitted))
  if (first === undefined) return
  findings.count('admissions while equals waited')
  if (comesBefore(first, admitted)) {
    findings.violate(
      `Ticket ${admitted.number} at place ${admitted.place} was admitted before ticket ${first.number} at place ${first.place}`,
      record,
    )
  }
}

function lineOf(room: OrderedRoom, ticket: ReplayedTicket): TicketHeap {
  return getOrMake(room.lines, ticket.class, () => new TicketHeap(comesBefore))
}

/** Removes ended, admitted and away tickets lazily: only when they reach the top of the heap. */
function firstPresent(room: OrderedRoom, line: TicketHeap): ReplayedTicket | undefined {
  for (let top = line.peek(); top !== undefined; top = line.peek()) {
    const current = room.replay.tickets.get(top.number)
    if (current === top && top.state === 'waiting' && !top.isAway) return top
    line.pop()
  }
  return undefined
}
