import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { ClientRecord, HistoryRecord, LogRecord } from '../../records/records.ts'
import { RoomReplay } from '../../replay/room-replay.ts'

/** I19. A ticket has at most one live pass: each new fence of a room is larger, and an older one is refused. */
export const onePassPerTicket: Check = {
  id: 'I19',
  name: 'one live pass per ticket, older fences refused',
  start(): CheckRun {
    const findings = new Findings('passes', 'passes replaced', 'calls with a pass', 'stale fences refused')
    const rooms = new Map<string, FencedRoom>()
    const room = (name: string): FencedRoom =>
      getOrMake(rooms, name, () => ({ replay: new RoomReplay(), lastFence: 0, calls: new Map() }))
    return {
      see(record: HistoryRecord) {
        if (record.record === 'log') judgeEntry(findings, room(record.room), record)
        else if (record.record === 'client' && record.room !== undefined) rememberCall(room(record.room), record)
      },
      finish() {
        for (const { calls } of rooms.values()) judgeCalls(findings, [...calls.values()])
        return findings.verdict('passes')
      },
    }
  },
}

interface FencedRoom {
  readonly replay: RoomReplay
  lastFence: number
  readonly calls: Map<string, Call>
}

interface Call {
  invoke: ClientRecord | undefined
  answer: ClientRecord | undefined
}

function judgeEntry(findings: Findings, room: FencedRoom, record: LogRecord): void {
  const wasOnFloor = 'ticket' in record && room.replay.floor.has(record.ticket)
  if (!room.replay.apply(record) || (record.kind !== 'admit' && record.kind !== 'handover')) return
  if (record.kind === 'admit') {
    findings.count('passes')
    if (wasOnFloor) findings.violate(`Ticket ${record.ticket} was admitted while it had a pass`, record)
  } else if (record.fence !== undefined) findings.count('passes replaced')
  if (record.fence === undefined) {
    if (record.kind === 'handover' && wasOnFloor && room.lastFence > 0) {
      findings.violate(`Ticket ${record.ticket} went to another device, and the old pass still counts`, record)
    }
    return
  }
  if (record.fence <= room.lastFence) {
    findings.violate(`The fence ${record.fence} does not come after ${room.lastFence}`, record)
  }
  room.lastFence = Math.max(room.lastFence, record.fence)
}

function rememberCall(room: FencedRoom, record: ClientRecord): void {
  if (record.ticket === undefined || record.fence === undefined) {
    if (record.phase === 'invoke') return
  }
  if (record.ticket === undefined) return
  const call = getOrMake<string, Call>(room.calls, record.call, () => ({ invoke: undefined, answer: undefined }))
  if (record.phase === 'invoke') call.invoke = record
  else call.answer = record
}

/** By the monotonic clock: once a client was told a newer fence, a call that begins later with an older one must fail. */
function judgeCalls(findings: Findings, calls: readonly Call[]): void {
  const moments = calls.flatMap(({ invoke, answer }) => {
    const fence = invoke?.fence ?? answer?.fence
    const ticket = invoke?.ticket ?? answer?.ticket
    if (fence === undefined || ticket === undefined) return []
    const begins = invoke?.isProtected === true ? [{ atMs: invoke.monotonicMs, isAnswer: false }] : []
    const ends = answer?.phase === 'ok' ? [{ atMs: answer.monotonicMs, isAnswer: true }] : []
    return [...begins, ...ends].map((moment) => ({ ...moment, fence, ticket, invoke, answer }))
  })
  moments.sort((a, b) => a.atMs - b.atMs || Number(a.isAnswer) - Number(b.isAnswer))
  const newest = new Map<number, { fence: number; record: ClientRecord }>()
  for (const { isAnswer, fence, ticket, invoke, answer } of moments) {
    const known = newest.get(ticket)
    if (isAnswer) {
      if (answer !== undefined && (known?.fence ?? 0) < fence) newest.set(ticket, { fence, record: answer })
      continue
    }
    findings.count('calls with a pass')
    if (known === undefined || fence >= known.fence || invoke === undefined) continue
    if (answer?.phase === 'fail') findings.count('stale fences refused')
    else if (answer?.phase === 'ok') {
      findings.violate(
        `Ticket ${ticket} was served under fence ${fence}, although ${known.fence} was known before`,
        known.record,
        invoke,
        answer,
      )
    }
  }
}
