import { ROOM_DEFAULTS } from '@seatwise/domain'
import { endOf } from './written-bodies.ts'

/**
 * The answers that routes write without a schema, because a schema would cost time or hide what they tell: what they
 * look like, by the method and the end of the path. A test calls each and compares (O96).
 */
export interface WrittenAnswer {
  readonly status: number
  readonly type: string
  readonly example: unknown
}

const TICKET = {
  ...{ ticketId: 'tkt_0193a7c241', class: 0, state: 'waiting', away: false, name: 'Ada', email: null },
  ...{ joinedAt: '2026-11-15T10:00:00.000Z', admittedAt: null, enteredAt: null, deadline: null, extended: false },
  reservation: null,
}
const ROOM_ID = '0193a7c2-61aa-4c02-8e57-90b1de34f201'
const EVENT_ID = '0193a7c2-5f1e-4b60-9d2c-6a5f0c7e4b11'
const ORGANIZATION_ID = '0193a7b0-1e0f-4d8b-9c2a-7f6e5d4c3b2a'
const ACCOUNT_ID = '0193a7b8-4c3d-4e1f-8a9b-0c1d2e3f4a5b'
const NO_ESTIMATES = { judged: 0, knownShare: null, medianError: null, withinP90: null }
const ACTION = {
  ...{ id: 4, at: '2026-11-15T10:04:00.000Z', actorId: ACCOUNT_ID, actorName: 'Grace Hopper' },
  ...{ actorRole: 'organizer', eventId: EVENT_ID, roomId: ROOM_ID, kind: 'room.changed', subject: null },
  ...{ before: { capacity: 100 }, after: { capacity: 150 }, undoes: null, undoneBy: null },
}
const NOW = {
  ...{ seq: 42, epoch: 1, phase: 'open', opensAt: '2026-11-15T10:00:00.000Z', waiting: 6, active: 100 },
  ...{ capacity: 100, ratePerMinute: 600, avgServiceMs: 95_000, remainingSeats: 420, rankMap: [[1_042, 5]] },
  poll: { nearRank: 5_102, nearMs: 2_000, farMs: 30_000, pushRank: 5_102, jitter: 0.2 },
  ...{ message: null, at: '2026-11-15T10:04:00.000Z' },
  head: {
    ...{ size: 4_096, root: 'bf91e2457493dc9138132c4ddf15ae7871b128c2e31740e1ef25ff8c0577cdd4' },
    ...{ at: '2026-11-15T10:03:59.000Z', kid: 'AToqyc7QFh9iEqwiQvro8-pWjyAQQoTllDyaVniaFAE' },
    checkpoint: `shop.example/rooms/${ROOM_ID}\n4096\nv5HiRXST3JE4EyxN3xWueHGxKMLjF0Dh7yX/jAV3zdQ=\n\n— shop.example …\n`,
  },
}
const STATS = {
  ...{ roomId: ROOM_ID, waiting: 6, away: 0, admitted: 1, active: 100, completed: 310, expired: 12 },
  ...{ expiredBy: { timeout: 12 }, avgWaitMs: 31_000, avgServiceMs: 95_000, admissionsPerSecond: 1.05 },
  ...{ lastAdmissionAt: '2026-11-15T10:03:59.000Z', phase: 'open' },
}
const PULSE = {
  ...{ roomId: ROOM_ID, eventId: EVENT_ID, name: 'Aurora Live', at: '2026-11-15T10:04:00.000Z', phase: 'open' },
  ...{ paused: false, message: null, isHeld: false, waiting: 6, active: 100, settings: ROOM_DEFAULTS },
  ...{ admissionsPerMinute: 63, avgServiceMs: 95_000, lastVisitor: { p50: 30, p90: 55 } },
  ...{ seats: { available: 420, held: 30, sold: 50, blocked: 0 }, soldPerMinute: 12, soldOutInSeconds: 2_250 },
  lastAction: ACTION,
}
const CHARTS = {
  ...{ stepSeconds: 2, at: [1_794_736_800], waiting: [6], floor: [100], admissionsPerSecond: [1] },
  ...{ arrivalsPerSecond: [1.5], held: [30], sold: [50], estimateError: [null], noShows: [0], estimates: NO_ESTIMATES },
}
const SALE = {
  ...{ id: EVENT_ID, name: 'Aurora Live', location: 'Hà Nội', roomId: ROOM_ID, organizerId: ACCOUNT_ID },
  ...{ organizationId: ORGANIZATION_ID, timeZone: 'Asia/Ho_Chi_Minh', startsAt: null, state: 'published' },
  ...{ salesStartAt: '2026-11-15T10:00:00.000Z', salesEndAt: '2026-12-18T10:00:00.000Z', paused: false },
  ...{ available: 420, held: 30, sold: 50, blocked: 0, phase: 'open', waiting: 6, active: 100 },
}
const READINESS = {
  verdict: 'go',
  checks: [{ check: 'ledger', verdict: 'go', problem: null, facts: { ms: 2, kind: 'postgres' } }],
  deployment: [
    {
      ...{ what: 'file descriptors', verdict: 'weak', says: 'at most 20000 open at once', problem: 'descriptorsFew' },
      facts: { limit: '20000', wanted: '65536' },
    },
  ],
}
const REHEARSAL = { at: '2026-11-14T18:00:00.000Z', verdict: 'passed', report: { visitors: 10_000, oversold: 0 } }
const OWN_ROOM = {
  ...{ id: ROOM_ID, eventId: null, organizationId: ORGANIZATION_ID, name: 'Summer drop', ...ROOM_DEFAULTS },
  ...{ target: 'https://shop.example/', opensAt: null, closesAt: null, paused: false, message: null },
  ...{ createdAt: '2026-11-15T10:00:00.000Z', updatedAt: '2026-11-15T10:00:00.000Z' },
}
const FLOOR_TICKET = { ...TICKET, state: 'active', deadline: '2026-11-15T10:09:00.000Z', reservedSeats: 2 }

const json = (example: unknown, status = 200): WrittenAnswer => ({ status, type: 'application/json', example })
const text = (type: string, example: string, status = 200): WrittenAnswer => ({ status, type, example })
const table = (example: string): WrittenAnswer => text('text/csv', example)
const paper: WrittenAnswer = text('application/pdf', '%PDF-1.3 …')

export const WRITTEN_ANSWERS: Readonly<Record<string, WrittenAnswer>> = {
  'GET /queue/now': json(NOW),
  'GET /queue/stats': json(STATS),
  'GET /queue/front': json({ items: [{ ...TICKET, position: 1 }], away: [] }),
  'GET /queue/floor': json({ items: [FLOOR_TICKET] }),
  'GET /pulse': json(PULSE),
  'GET /charts': json(CHARTS),
  'GET /trail': json({ items: [ACTION], nextCursor: '4' }),
  'POST /trail/:action/undo': json({ id: ROOM_ID, undone: 4, ratePerMinute: 600 }),
  'PATCH /room': json({ id: ROOM_ID, ...ROOM_DEFAULTS, paused: false, message: null }),
  'POST /room/preview': json({
    ...{ waiting: 6, before: { p50: 30, p90: 55 }, after: { p50: 15, p90: 28 }, limitedBy: 'capacity' },
  }),
  'GET /readiness': json(READINESS),
  'GET /rehearsals': json({ items: [REHEARSAL] }),
  'POST /rehearsals': json(REHEARSAL, 201),
  'GET /api/rooms/:id': json(OWN_ROOM),
  'GET /api/trail': json({ items: [ACTION], nextCursor: '4' }),
  'GET /api/console/sales': json({ items: [SALE], nextOffset: null }),
  'GET /openapi.json': json({ openapi: '3.1.0', info: { title: 'Seatwise' }, tags: [], paths: {}, components: {} }),
  'GET /metrics': text('text/plain', 'seatwise_joins_total 4096\n'),
  'GET /realtime': text('text/plain', 'A WebSocket; its first message is {"type":"subscribe","channels":[…]}', 101),
  'GET /realtime/sse': text(
    'text/event-stream',
    'data: {"type":"QUEUE_MOVE","seq":42,"departedRank":0,"waiting":5}\n\n',
  ),
  'GET /api/etickets/:id/apple.pkpass': text('application/vnd.apple.pkpass', 'PK…'),
  'GET /receipt.pdf': paper,
  'GET /tickets.pdf': paper,
  'GET /settlement.pdf': paper,
  'GET /codes.csv': table(
    'code,percent,amountOff,price,currency,access,uses,usesMax,perBuyerMax,validFrom,validUntil,endedAt,createdAt\r\n' +
      'SPRING,10,,,,false,0,,,,,,2026-11-15T10:00:00.000Z\r\n',
  ),
  'GET /cash-up.csv': table(
    'day,sellerId,sellerName,method,currency,sales,seats,taken,paidOut\r\n' +
      `2026-12-18,${ACCOUNT_ID},Grace Hopper,cash,EUR,12,20,180000,0\r\n`,
  ),
  'GET /receipts.csv': table(
    'number,date,kind,event,net,tax,gross,currency\r\n' +
      '41,2026-11-15T10:05:00.000Z,receipt,Aurora Live,7563,1437,9000,EUR\r\n',
  ),
  'GET /settlement.csv': table(
    'day,event,currency,receipts,credit_notes,gross,fees,tax,refunds,refunded_tax,charges,payout\r\n' +
      '2026-11-15,Aurora Live,EUR,50,1,450000,7500,71849,9000,1437,1200,439800\r\n',
  ),
  'GET /reservations.csv': table(
    'id,status,email,name,seats,amount,currency,created_at,expires_at,paid_at,terms_url,terms_accepted_at,marketing,' +
      'marketing_at,marketing_words,other_answers\r\n' +
      '0193a7c9-8e21-4b3c-9d0e-1f2a3b4c5d6e,PAID,ada@example.com,Ada,1,9000,EUR,…\r\n',
  ),
  'GET /etickets.csv': table(
    'id,reservation_id,status,email,name,seat_type,row,seat,price,paid,currency,issued_at,checked_in_at,holder_email,' +
      'holder,other_answers\r\n' +
      '0193a7ca-1a2b-4c3d-9e4f-5a6b7c8d9e0f,0193a7c9-8e21-4b3c-9d0e-1f2a3b4c5d6e,PAID,ada@example.com,Ada,Stalls,A,7,…\r\n',
  ),
  'GET /checkins.csv': table(
    'id,checked_in_at,checked_in_by,holder,seat_type,row,seat\r\n' +
      '0193a7ca-1a2b-4c3d-9e4f-5a6b7c8d9e0f,2026-12-18T11:20:00.000Z,Grace Hopper,Ada,Stalls,A,7\r\n',
  ),
  'GET /trail.csv': table(
    'id,at,who,role,what,subject,before,after,undoes\r\n4,2026-11-15T10:04:00.000Z,Grace Hopper,…\r\n',
  ),
}

/** What a route without a schema for its answer answers; undefined where none is known. */
export function writtenAnswerOf(method: string, url: string): WrittenAnswer | undefined {
  return WRITTEN_ANSWERS[`${method} ${url}`] ?? WRITTEN_ANSWERS[`${method} ${endOf(url)}`]
}

/** A JSON Schema that describes an example. */
export function schemaOf(example: unknown): Record<string, unknown> {
  if (example === null) return {}
  if (Array.isArray(example)) return { type: 'array', items: example.length === 0 ? {} : schemaOf(example[0]) }
  if (typeof example !== 'object') return { type: typeof example }
  const properties = Object.fromEntries(Object.entries(example).map(([name, value]) => [name, schemaOf(value)]))
  return { type: 'object', properties }
}
