import { deepEqual } from 'node:assert/strict'
import type { Change, Corrected, LogEntry } from '@seatwise/domain'
import { ROOM_DEFAULTS } from '@seatwise/domain'
import { forEachLedger } from '@seatwise/testbench'
import { it } from 'vitest'
import { beginEpoch, copyLog, expireReservations, readCorrections, readLiveTickets } from '../../src/index.ts'
import type { LiveTicket } from '../../src/rooms/tickets/read-live-tickets.ts'
import { begin, capture, hold, moveDeadline, openStanding, type Sale, sell } from '../reservations/sale-kit.ts'

forEachLedger('what a rebuild reads', (open) => {
  it('[R28] is corrected by who has reserved and who has paid', async () => {
    const sale = await openStanding(await open(), 20)
    await beginEpoch(sale.ledger.db, { room: sale.event.roomId, lostEpoch: 0, reason: 'first', unseenMax: 0 })
    await follow(sale, [
      ...[1, 2, 3, 4, 5, 6].map(joined),
      ...[1, 2, 3].flatMap(admitted),
      { kind: 'reserved', numbers: [3], deadline: 900_000, quantity: 4 },
    ])
    // Ticket 1 has reserved and ticket 2 has paid, but the log says nothing of it; ticket 3 has lost its seats.
    // Even the admission of tickets 4 and 5 is lost.
    const room = { roomId: sale.event.roomId }
    await hold(sale, 2, { ...room, ticketNumber: 1, fence: 11 })
    await sell(sale, 1, { ...room, ticketNumber: 2, fence: 12 })
    await hold(sale, 3, { ...room, ticketNumber: 4, fence: 44 })
    await sell(sale, 1, { ...room, ticketNumber: 5, fence: 45 })

    await beginEpoch(sale.ledger.db, { room: sale.event.roomId, lostEpoch: 1, reason: 'lost', unseenMax: 10 })
    const found = await readCorrections(sale.ledger.db, sale.event.roomId)
    const nothing = { fence: null, deadline: null, sessionEnd: null, quantity: 0 }
    const [end1, end4] = [await holdEnd(sale, 1), await holdEnd(sale, 4)]
    deepEqual(found, [
      corrected(1, 'active', 'active', { fence: 11, deadline: end1, sessionEnd: 9_000, quantity: 2 }),
      corrected(2, 'active', 'completed', nothing),
      corrected(3, 'active', 'active', { fence: 3, deadline: 9_000, sessionEnd: 9_000, quantity: 0 }),
      corrected(4, 'waiting', 'active', { fence: 44, deadline: end4, sessionEnd: end4, quantity: 3 }),
      corrected(5, 'waiting', 'completed', nothing),
    ])

    // A rebuild that died before it was followed finds the same again; once the log has said it, there is nothing left.
    await beginEpoch(sale.ledger.db, { room: sale.event.roomId, lostEpoch: 2, reason: 'lost', unseenMax: 10 })
    deepEqual(await readCorrections(sale.ledger.db, sale.event.roomId), found)
    await follow(sale, found, 3)
    deepEqual(await readCorrections(sale.ledger.db, sale.event.roomId), [])
    deepEqual(
      (await live(sale)).map(({ number, state, reservedSeats, fence }) => [number, state, reservedSeats, fence]),
      [
        [1, 'active', 2, 11],
        [3, 'active', 0, 3],
        [4, 'active', 3, 44],
        [6, 'waiting', 0, null],
      ],
    )
    const [held, lost] = await live(sale)
    deepEqual([held?.deadline, held?.sessionEnd, lost?.deadline], [end1, 9_000, 9_000])
  })

  it('[R28] a reservation that was paid late never hides the pending one of the same ticket', async () => {
    const sale = await openStanding(await open(), 5)
    const { roomId } = sale.event
    await beginEpoch(sale.ledger.db, { room: roomId, lostEpoch: 0, reason: 'first', unseenMax: 0 })
    await follow(sale, [joined(1), ...admitted(1)])
    const ticket = { roomId, ticketNumber: 1, fence: 11 }
    const late = await begin(sale, await hold(sale, 1, ticket))
    await moveDeadline(sale, late.reservationId, -1)
    await expireReservations(sale.ledger, sale.event.id)
    await hold(sale, 2, ticket)
    await capture(sale, late)
    const found = await readCorrections(sale.ledger.db, roomId)
    deepEqual(
      found.map(({ number, state, quantity }) => [number, state, quantity]),
      [[1, 'active', 2]],
    )
  })
})

function corrected(
  number: number,
  from: Corrected['from'],
  state: Corrected['state'],
  floor: Pick<Corrected, 'fence' | 'deadline' | 'sessionEnd' | 'quantity'>,
): Corrected {
  return { kind: 'corrected', number, from, state, ...floor }
}

async function live({ ledger, event }: Sale): Promise<LiveTicket[]> {
  const tickets: LiveTicket[] = []
  for await (const chunk of readLiveTickets(ledger.db, event.roomId)) tickets.push(...chunk)
  return tickets
}

async function holdEnd({ ledger, event }: Sale, ticketNumber: number): Promise<number> {
  const { expires_at } = await ledger.db
    .selectFrom('reservations')
    .select('expires_at')
    .where('room_id', '=', event.roomId)
    .where('ticket_number', '=', ticketNumber)
    .executeTakeFirstOrThrow()
  return expires_at.getTime()
}

async function follow({ ledger, event }: Sale, changes: readonly Change[], epoch = 1): Promise<void> {
  const rules = {
    settings: { ...ROOM_DEFAULTS },
    ...{ paused: false, soldOut: false, opensAt: 0, closesAt: 9_000_000_000_000, stock: null },
  }
  const opened: Change = { kind: 'opened', reason: 'first', nextNumber: 1, waiting: 0, floor: 0, rules }
  const entries = [opened, ...changes].map((change, index): LogEntry => {
    return { epoch, seq: index + 1, at: 1_000, operation: 'test', change }
  })
  await copyLog(ledger, event.roomId, entries)
}

function joined(number: number): Change {
  const ticket = { number, identity: `identity-${number}`, class: 0 as const, place: number, rank: number - 1 }
  return { kind: 'joined', ...ticket, code: null, limitKey: null, shown: null, profile: '{}' }
}

function admitted(number: number): Change[] {
  return [
    { kind: 'admitted', number, class: 0, fence: number, deadline: 5_000, active: false },
    { kind: 'entered', number, deadline: 9_000 },
  ]
}
