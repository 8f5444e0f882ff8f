import type { ClientRecord, FaultRecord, GaugeRecord, HistoryRecord, LedgerRecord, LogRecord } from './records.ts'

/** Turns parsed JSON into a record, or throws an error that says what is wrong with it. */
export function parseRecord(value: unknown): HistoryRecord {
  if (typeof value !== 'object' || value === null) throw new Error('A record must be a JSON object')
  const fields: Record<string, unknown> = { ...value }
  const kind = fields.record
  if (kind === 'log') checkFields(fields, LOG_HEAD, variant(fields, LOG_KINDS))
  else if (kind === 'ledger') checkFields(fields, LEDGER_HEAD, variant(fields, LEDGER_KINDS))
  else if (kind === 'client') checkFields(fields, CLIENT, {})
  else if (kind === 'fault') checkFields(fields, FAULT, {})
  else if (kind === 'gauge') checkFields(fields, GAUGE, {})
  else throw new Error(`A record's "record" must be log, ledger, client, fault or gauge, not ${JSON.stringify(kind)}`)
  // Every field was checked against its table.
  return value as HistoryRecord
}

type FieldType =
  | 'number'
  | 'number or null'
  | 'string'
  | 'string or null'
  | 'boolean'
  | 'strings'
  | readonly (string | number)[]
/** A name that ends in `?` may be missing. */
type Fields = Readonly<Record<string, FieldType>>

const LOG_HEAD: Fields = {
  room: 'string',
  epoch: 'number',
  seq: 'number',
  'part?': 'number',
  atMs: 'number',
  operation: 'string',
  'hash?': 'string',
  'hashedText?': 'string',
  'copiedAtMs?': 'number',
}
const TICKET: Fields = { ticket: 'number' }
const PLACE: Fields = { ...TICKET, place: 'number', class: [0, 1, 2, 3], identity: 'string' }
const LIMITS: Fields = {
  ...{ capacity: 'number', ratePerMinute: 'number', burst: 'number', 'seatsPerBuyer?': 'number' },
  ...{ 'sessionMs?': 'number', 'reservationMs?': 'number', 'payingMs?': 'number' },
  ...{ 'silenceMs?': 'number', 'graceMs?': 'number', 'awayMs?': 'number' },
}

const LOG_KINDS = {
  epoch: {
    ...LIMITS,
    reason: 'string',
    'paused?': 'boolean',
    'tokens?': 'number',
    'afterEpoch?': 'number',
    'afterSeq?': 'number',
  },
  join: PLACE,
  return: PLACE,
  promote: { ...TICKET, place: 'number', class: [0, 1, 2, 3] },
  correct: {
    ...{ ...TICKET, state: ['admitted', 'active', 'completed'], hasReservation: 'boolean' },
    ...{ deadlineMs: 'number or null', sessionEndMs: 'number or null', fence: 'number or null' },
  },
  away: TICKET,
  back: TICKET,
  attended: { unattendedSinceMs: 'number' },
  admit: { ...TICKET, 'deadlineMs?': 'number', 'fence?': 'number', 'by?': ['operator'] },
  enter: { ...TICKET, 'deadlineMs?': 'number' },
  extend: { ...TICKET, deadlineMs: 'number', 'sessionEndMs?': 'number' },
  handover: { ...TICKET, generation: 'number', 'fence?': 'number' },
  adopt: { ...TICKET, identity: 'string' },
  reserve: { ...TICKET, deadlineMs: 'number or null' },
  complete: TICKET,
  expire: { ...TICKET, reason: ['no_show', 'timeout', 'cancelled', 'terminated', 'sold_out', 'sale_ended'] },
  leave: TICKET,
  merged: TICKET,
  group: { ...TICKET, people: 'number' },
  terminate: TICKET,
  settings: LIMITS,
  pause: { reason: 'string' },
  resume: {},
  hold: { reason: 'string' },
  unhold: {},
  message: { text: 'string' },
  prices: { listHash: 'string', 'list?': 'string' },
  said: { what: 'string' },
  stock: { remaining: 'number or null' },
  'sold-out': { 'isSoldOut?': 'boolean' },
  window: { opensAtMs: 'number', closesAtMs: 'number' },
} as const satisfies Record<LogRecord['kind'], Fields>

const LEDGER_HEAD: Fields = { event: 'string', atMs: 'number' }
const SEATS: Fields = { seats: 'strings' }
const HOLD: Fields = { ...SEATS, hold: 'string' }
const HOLD_DETAILS: Fields = {
  ...{ 'epoch?': 'number', 'room?': 'string', 'ticket?': 'number', 'fence?': 'number', 'amount?': 'number' },
  'guest?': 'string',
  'door?': 'boolean',
}
const MONEY: Fields = { captured: 'number', refunded: 'number', 'kept?': 'number', 'pending?': 'number' }

const LEDGER_KINDS = {
  total: { total: 'number' },
  block: SEATS,
  unblock: SEATS,
  hold: { ...HOLD, buyer: 'string', expiresAtMs: 'number', ...HOLD_DETAILS },
  extend: { hold: 'string', expiresAtMs: 'number' },
  release: { ...HOLD, 'by?': ['buyer', 'operator'] },
  expire: HOLD,
  sell: { ...HOLD, buyer: 'string', 'late?': 'boolean', 'by?': 'string' },
  refund: { ...HOLD, 'payment?': 'string', 'amount?': 'number', 'kept?': 'number' },
  count: {
    available: 'number',
    held: 'number',
    sold: 'number',
    blocked: 'number',
    total: 'number',
    'exact?': 'boolean',
  },
  payment: {
    ...{ payment: 'string', hold: 'string', amount: 'number', 'by?': 'string', 'operation?': 'string', ...MONEY },
    status: ['processing', 'paid', 'declined', 'partly_refunded', 'refunding', 'refunded', 'stuck'],
  },
  provider: { payment: 'string', ...MONEY },
  news: { news: 'string', hold: 'string', type: 'string', position: 'number', handed: 'boolean' },
  delivery: {
    ...{ news: 'string', receiver: 'string', attempts: 'number' },
    ...{ deliveredAtMs: 'number or null', setAside: 'boolean' },
  },
  adoption: { guest: 'string', account: 'string' },
  operation: { actor: 'string', operation: 'string', effect: 'string' },
} as const satisfies Record<LedgerRecord['kind'], Fields>

const CLIENT = {
  client: 'string',
  call: 'string',
  phase: ['invoke', 'ok', 'fail', 'info'],
  monotonicMs: 'number',
  'invokedMs?': 'number',
  action: 'string',
  'read?': 'boolean',
  'operation?': 'string',
  'room?': 'string',
  'event?': 'string',
  'epoch?': 'number',
  'seq?': 'number',
  'identity?': 'string',
  'ticket?': 'number',
  'place?': 'number',
  'state?': ['waiting', 'admitted', 'active', 'completed', 'expired'],
  'rank?': 'number',
  'exact?': 'boolean',
  'expectedMs?': 'number',
  'expectedMsMax?': 'number',
  'atMs?': 'number',
  'secrets?': 'strings',
  'isProtected?': 'boolean',
  'fence?': 'number',
  'seats?': 'strings',
  'effect?': 'string or null',
} as const satisfies Fields & Partial<Record<keyof ClientRecord, FieldType>>

const FAULT = {
  monotonicMs: 'number',
  phase: ['begin', 'end', 'point'],
  fault: 'string',
  target: 'string',
  'atMs?': 'number',
} as const satisfies Fields & Partial<Record<keyof FaultRecord, FieldType>>

const GAUGE = {
  monotonicMs: 'number',
  source: 'string',
  gauge: 'string',
  value: 'number',
  bound: 'number',
} as const satisfies Record<Exclude<keyof GaugeRecord, 'record'>, FieldType>

function variant(fields: Readonly<Record<string, unknown>>, kinds: Readonly<Record<string, Fields>>): Fields {
  const kind = String(fields.kind)
  const found = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (found === undefined)
    throw new Error(`There is no ${String(fields.record)} record of kind ${JSON.stringify(kind)}`)
  return found
}

function checkFields(fields: Readonly<Record<string, unknown>>, ...tables: readonly Fields[]): void {
  for (const [name, type] of tables.flatMap((table) => Object.entries(table))) {
    const isOptional = name.endsWith('?')
    const key = isOptional ? name.slice(0, -1) : name
    const value = fields[key]
    if (value === undefined && isOptional) continue
    if (!hasType(value, type)) {
      const expected = typeof type === 'string' ? type : `one of ${type.join(', ')}`
      throw new Error(`"${key}" must be ${expected}, not ${JSON.stringify(value)}`)
    }
  }
}

function hasType(value: unknown, type: FieldType): boolean {
  if (typeof type !== 'string') return type.some((allowed) => allowed === value)
  if (type === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (type === 'string or null') return value === null || typeof value === 'string'
  if (type === 'number or null') return value === null || typeof value === 'number'
  return typeof value === type
}
