import { randomUUID } from 'node:crypto'
import type { LogEntry, PrivateNews } from '@seatwise/domain'
import type { ReservationRow } from '@seatwise/ledger'
import { waitUntil } from '@seatwise/testbench'
import { expect, it } from 'vitest'
import { TicketNews } from '../../src/push/news/ticket-news.ts'
import type { Room } from '../../src/rooms/room.ts'

const NUMBER = 7
const DEADLINE = Date.UTC(2030, 0, 1)

it('[U12] a visitor who has paid before the lookup is not told again that it is their turn', async () => {
  expect(await heardWith('PAID')).toEqual(['PAYMENT_SUCCESS', 'ENDED', 'end of access'])
  expect(await heardWith('PENDING_PAYMENT')).toEqual(['RESERVATION_CREATED', 'ACTIVE', 'ENDED', 'end of access'])
})

/** Starting to pay gives more time, which is in the log, and then the visit is over; the ledger says the same throughout. */
async function heardWith(status: ReservationRow['status']): Promise<string[]> {
  const heard: string[] = []
  const room = { settings: { reserveOnAdmit: false } } as Room
  const found = reservation(status)
  const sink = {
    hears: () => true,
    stand: () => undefined,
    tell: (_number: number, _position: object, { type }: PrivateNews) => void heard.push(type),
    endAccess: () => void heard.push('end of access'),
  }
  const news = new TicketNews(
    room,
    sink,
    async () => found,
    () => 0,
  )
  news.learn({ number: NUMBER, state: 'active' } as Parameters<TicketNews['learn']>[0], null)
  news.follow(entry(1, { kind: 'reserved', numbers: [NUMBER], deadline: DEADLINE, quantity: 1 }))
  news.follow(entry(2, { kind: 'completed', number: NUMBER }))
  await waitUntil('nothing is left to tell', () => news.pending === 0)
  return heard
}

function reservation(status: ReservationRow['status']): ReservationRow {
  const at = new Date(0)
  return {
    ...{
      id: randomUUID(),
      eventId: randomUUID(),
      buyerId: randomUUID(),
      status,
      items: [],
      lines: [],
      tax: 0,
      amount: 0,
    },
    ...{ currency: 'EUR', expiresAt: new Date(DEADLINE), paidAt: status === 'PAID' ? at : null, createdAt: at },
    ...{ updatedAt: at, roomId: randomUUID(), ticketNumber: NUMBER, isExtended: true, adoptedFrom: null },
  }
}

function entry(seq: number, change: LogEntry['change']): LogEntry {
  return { epoch: 1, seq, at: 0, operation: 'x', change }
}
