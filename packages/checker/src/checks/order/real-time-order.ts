import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { ClientRecord, HistoryRecord } from '../../records/records.ts'

/**
 * I22. If A was answered before B was sent, A comes before B in the log of the room. Reads are not checked, and neither are
 * repetitions: of all calls that join, enter, complete or leave with one ticket, only the first counts.
 */
export const realTimeOrder: Check = {
  id: 'I22',
  name: 'ok(A) before invoke(B) ⇒ seq(A) < seq(B)',
  needsClients: true,
  start(): CheckRun {
    const findings = new Findings('ordered pairs', 'operations', 'answers without an entry', 'done again after a loss')
    const rooms = new Map<string, TimedRoom>()
    const room = (name: string): TimedRoom =>
      getOrMake(rooms, name, () => ({ operations: new Map(), logged: new Map(), acts: noActs(), epochs: new Set() }))
    return {
      see(record: HistoryRecord) {
        if (record.record === 'log') {
          const { logged, acts, epochs } = room(record.room)
          epochs.add(record.epoch)
          const position = packed(record)
          if (!logged.has(record.operation)) logged.set(record.operation, position)
          const act = record.kind === 'return' ? 'join' : record.kind
          if (!('ticket' in record) || !isAct(act)) return
          if (!acts[act].has(record.ticket)) acts[act].set(record.ticket, position)
        } else if (record.record === 'client' && record.room !== undefined && record.read !== true) {
          remember(room(record.room), record)
        }
      },
      finish() {
        for (const each of rooms.values()) scan(findings, each)
        return findings.verdict('ordered pairs')
      },
    }
  },
}

interface Position {
  epoch: number
  seq: number
}

interface Operation {
  /** The first attempt: the change happened at some time after it. */
  invoked: ClientRecord | undefined
  /** The first answer: the change happened at some time before it. */
  answered: ClientRecord | undefined
  position: Position | undefined
}

interface TimedRoom {
  readonly operations: Map<string, Operation>
  /** Log positions as one number each: there may be millions, and few are ever read. */
  readonly logged: Map<string, number>
  /** The first entry of each act of each ticket. */
  readonly acts: Readonly<Record<Act, Map<number, number>>>
  readonly epochs: Set<number>
}

function remember(room: TimedRoom, record: ClientRecord): void {
  const operation = getOrMake<string, Operation>(room.operations, record.operation ?? record.call, () => ({
    invoked: undefined,
    answered: undefined,
    position: undefined,
  }))
  if (record.phase === 'invoke') operation.invoked = earlier(operation.invoked, record)
  if (record.phase !== 'ok') return
  operation.answered = earlier(operation.answered, record)
  const { epoch, seq } = record
  if (epoch !== undefined && seq !== undefined) operation.position ??= { epoch, seq }
}

function earlier(known: ClientRecord | undefined, record: ClientRecord): ClientRecord {
  return known !== undefined && known.monotonicMs <= record.monotonicMs ? known : record
}

/** Sorts all beginnings and ends by time, and compares each beginning with the highest entry answered before it. */
function scan(findings: Findings, room: TimedRoom): void {
  const moments: { atMs: number; isAnswer: boolean; record: ClientRecord; position: Position }[] = []
  const { repeated, doneAgain } = repetitions(room)
  for (const [id, operation] of room.operations) {
    if (repeated.has(operation)) continue
    findings.count('operations')
    const { invoked, answered } = operation
    if (doneAgain.has(operation) && operation.position === undefined) {
      findings.count('done again after a loss')
      continue
    }
    const position = positionOf(room, id, operation)
    if (position === undefined) {
      if (answered !== undefined) findings.count('answers without an entry')
      continue
    }
    if (invoked !== undefined) moments.push({ atMs: invoked.monotonicMs, isAnswer: false, record: invoked, position })
    if (answered !== undefined) moments.push({ atMs: answered.monotonicMs, isAnswer: true, record: answered, position })
  }
  // At the same instant neither comes first, so the beginnings are sorted first.
  moments.sort((a, b) => a.atMs - b.atMs || Number(a.isAnswer) - Number(b.isAnswer))

  let highest: { record: ClientRecord; position: Position } | undefined
  for (const { isAnswer, record, position } of moments) {
    if (isAnswer) {
      if (highest === undefined || compare(position, highest.position) > 0) highest = { record, position }
    } else if (highest !== undefined) {
      findings.count('ordered pairs')
      if (compare(position, highest.position) <= 0) {
        findings.violate(
          `${name(record)} was asked after ${name(highest.record)} was answered, and stands at ${show(position)}, not after ${show(highest.position)}`,
          highest.record,
          record,
        )
      }
    }
  }
}

/** The entry of an act is the one in the log, unless the answer came from an epoch that lost it. */
function positionOf(room: TimedRoom, id: string, operation: Operation): Position | undefined {
  const { answered, position: told } = operation
  const { action = '', ticket = -1 } = answered ?? {}
  const found = (isAct(action) ? room.acts[action].get(ticket) : undefined) ?? room.logged.get(id)
  if (found === undefined) return told
  const logged = unpacked(found)
  return told !== undefined && told.epoch !== logged.epoch ? told : logged
}

/**
 * A later repetition with the same ticket changes nothing. Unless the line was lost in between: then the entry may be of
 * either call, and the records do not tell which.
 */
function repetitions({ operations, epochs }: TimedRoom): { repeated: Set<Operation>; doneAgain: Set<Operation> } {
  const first = new Map<string, Operation>()
  const repeated = new Set<Operation>()
  const doneAgain = new Set<Operation>()
  for (const operation of operations.values()) {
    const act = actOf(operation)
    if (act === undefined) continue
    const known = first.get(act)
    const isFirst = known === undefined || invokedAt(operation) < invokedAt(known)
    if (known !== undefined) repeated.add(isFirst ? known : operation)
    if (known !== undefined && epochs.size > 1) doneAgain.add(isFirst ? operation : known)
    if (isFirst) first.set(act, operation)
  }
  return { repeated, doneAgain }
}

function invokedAt({ invoked, answered }: Operation): number {
  return invoked?.monotonicMs ?? answered?.monotonicMs ?? 0
}

type Act = 'join' | 'enter' | 'complete' | 'leave'

const noActs = (): Record<Act, Map<number, number>> => ({
  ...{ join: new Map(), enter: new Map(), complete: new Map(), leave: new Map() },
})

function isAct(kind: string): kind is Act {
  return kind === 'join' || kind === 'enter' || kind === 'complete' || kind === 'leave'
}

function actOf({ answered }: Operation): string | undefined {
  if (answered?.ticket === undefined || !isAct(answered.action)) return undefined
  return `${answered.action} ${answered.ticket}`
}

/** Exact while an epoch has fewer than 2⁴⁰ entries and there are fewer than 2¹² epochs. */
const SEQS = 2 ** 40
const packed = ({ epoch, seq }: Position): number => epoch * SEQS + seq
const unpacked = (number: number): Position => ({ epoch: Math.floor(number / SEQS), seq: number % SEQS })

function compare(a: Position, b: Position): number {
  return a.epoch - b.epoch || a.seq - b.seq
}

function name({ action, operation, call }: ClientRecord): string {
  return `${action} ${operation ?? call}`
}

function show({ epoch, seq }: Position): string {
  return `${epoch}-${seq}`
}
