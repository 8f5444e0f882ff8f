import type { Check, ClientRecord, HistoryRecord, LedgerRecord, LogHead, LogRecord, Verdict } from '../src/index.ts'

/** Leaves the type of each member of a union apart, which Omit alone does not. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
type LogBody = Without<LogRecord, keyof LogHead> & { atMs?: number; operation?: string }
type LedgerBody = Without<LedgerRecord, 'record' | 'event' | 'atMs'> & { atMs?: number }

export const LIMITS = { capacity: 2, ratePerMinute: 60, burst: 2 } as const

/** Writes the log of one room: numbers the entries and begins with the entry that opens epoch 1. */
export function roomLog(
  bodies: readonly LogBody[],
  limits: Partial<typeof LIMITS | Record<string, number>> = {},
): LogRecord[] {
  const opening: LogBody = { kind: 'epoch', reason: 'opened', ...LIMITS, ...limits }
  return epochLog(1, [opening, ...bodies])
}

/** Writes one epoch; its first body should be of the kind `epoch`. */
export function epochLog(epoch: number, bodies: readonly LogBody[]): LogRecord[] {
  let atMs = epoch * 1_000_000
  return bodies.map((body, index) => {
    atMs = body.atMs ?? atMs
    const seq = index + 1
    return { record: 'log', room: 'room', epoch, seq, operation: `operation-${epoch}-${seq}`, ...body, atMs }
  })
}

export function join(ticket: number, rest: Partial<Extract<LogBody, { kind: 'join' }>> = {}): LogBody {
  return { kind: 'join', ticket, place: ticket, class: 0, identity: `visitor-${ticket}`, ...rest }
}

export function admit(ticket: number, atMs?: number): LogBody {
  return { kind: 'admit', ticket, ...(atMs === undefined ? {} : { atMs }) }
}

/** An operator let it in, past the rate. */
export function admitNow(ticket: number, atMs?: number): LogBody {
  return { kind: 'admit', ticket, by: 'operator', ...(atMs === undefined ? {} : { atMs }) }
}

/** What a rebuild made of a ticket. */
export function correct(ticket: number, rest: Partial<Extract<LogBody, { kind: 'correct' }>> = {}): LogBody {
  const floor = { deadlineMs: null, sessionEndMs: null, fence: null, hasReservation: false }
  return { kind: 'correct', ticket, state: 'active', ...floor, ...rest }
}

/** Writes one call that was answered, a millisecond long. */
export function answer(
  action: string,
  { atMs = 0, phase = 'ok', ...rest }: Partial<ClientRecord> & { atMs?: number } = {},
): ClientRecord[] {
  const client = rest.client ?? `holder of ${rest.ticket}`
  const call = `${action} of ${client} at ${atMs}`
  const head = { record: 'client', client, call, action, room: 'room' } as const
  const { ticket, fence, isProtected, read } = rest
  const asked = Object.entries({ ticket, fence, isProtected, read }).filter(([, value]) => value !== undefined)
  return [
    { ...head, ...Object.fromEntries(asked), phase: 'invoke', monotonicMs: atMs },
    { ...head, ...rest, phase, monotonicMs: atMs + 1 },
  ]
}

/** Writes what happened to the seats of one event, a second apart unless said otherwise. */
export function ledger(bodies: readonly LedgerBody[]): LedgerRecord[] {
  return bodies.map((body, index) => ({ record: 'ledger', event: 'event', atMs: index * 1_000, ...body }))
}

export function hold(
  name: string,
  seats: readonly string[],
  rest: Partial<Extract<LedgerBody, { kind: 'hold' }>> = {},
): LedgerBody {
  return { kind: 'hold', hold: name, buyer: `buyer of ${name}`, seats, expiresAtMs: 300_000, ...rest }
}

export function sell(
  name: string,
  seats: readonly string[],
  rest: Partial<Extract<LedgerBody, { kind: 'sell' }>> = {},
): LedgerBody {
  return { kind: 'sell', hold: name, buyer: `buyer of ${name}`, seats, ...rest }
}

export function run(check: Check, records: readonly HistoryRecord[]): Verdict {
  const started = check.start()
  for (const record of records) started.see(record)
  return started.finish()
}

/** The sentences of a broken rule, or how it ended otherwise. */
export function outcome(check: Check, records: readonly HistoryRecord[]): string | readonly string[] {
  const verdict = run(check, records)
  return verdict.status === 'violated' ? verdict.violations.map(({ message }) => message) : verdict.status
}
