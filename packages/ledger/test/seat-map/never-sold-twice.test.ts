import { randomUUID } from 'node:crypto'
import { ROOM_DEFAULTS } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

const LATER = new Date('2026-12-24T20:00:00Z')

// Everything here goes straight to the tables, as code that is wrong would.
forEachLedger('what the database itself refuses', (open) => {
  let ledger: Ledger
  let eventId: string
  let seatTypeId: string
  let ordinal = 0
  beforeAll(async () => {
    ledger = await open()
    eventId = randomUUID()
    seatTypeId = randomUUID()
    const window = { sales_start_at: new Date('2026-11-15T10:00:00Z'), sales_end_at: LATER }
    await ledger.db
      .insertInto('events')
      .values({ id: eventId, name: 'Aurora Live', ...window })
      .execute()
    const type = { position: 0, name: 'Standing', price: 4500, currency: 'EUR', reserved_seating: false }
    await ledger.db
      .insertInto('seat_types')
      .values({ id: seatTypeId, event_id: eventId, ...type })
      .execute()
  })

  test('[D22] a second reservation of a seat cannot be paid, and can after the first is refunded', async () => {
    const seat = await newSeat()
    const first = await reserve(seat)
    const second = await reserve(seat)
    await setStatus(first, 'PAID')
    await expect(setStatus(second, 'PAID')).rejects.toMatchObject({ constraint: 'reservation_items_sold_once' })
    await setStatus(first, 'REFUNDED')
    await setStatus(second, 'PAID')
    const items = await ledger.db
      .selectFrom('reservation_items')
      .select(['reservation_id', 'sold'])
      .where('seat_id', '=', seat)
      .execute()
    expect(items).toHaveLength(2)
    expect(items).toContainEqual({ reservation_id: first, sold: false })
    expect(items).toContainEqual({ reservation_id: second, sold: true })
  })

  test('[D22] a sold seat cannot be added to a reservation that is paid already', async () => {
    const seat = await newSeat()
    await setStatus(await reserve(seat), 'PAID')
    const other = await reserve(await newSeat())
    await setStatus(other, 'PAID')
    await expect(addItem(other, seat, 'PAID')).rejects.toMatchObject({ constraint: 'reservation_items_sold_once' })
  })

  test('[D22] an item cannot say anything else of its reservation than the reservation does', async () => {
    const seat = await newSeat()
    const reservation = await reserve(seat)
    await expect(addItem(reservation, await newSeat(), 'PAID')).rejects.toMatchObject({ code: '23503' })
    await setStatus(reservation, 'PAID')
    const lie = sql`update reservation_items set reservation_status = 'EXPIRED' where reservation_id = ${reservation}`
    await expect(lie.execute(ledger.db)).rejects.toMatchObject({ code: '23503' })
    const force = sql`update reservation_items set sold = false where reservation_id = ${reservation}`
    await expect(force.execute(ledger.db)).rejects.toMatchObject({ code: '428C9' })
  })

  test('[D22] two buyers who pay for one seat at the same moment: one of them wins', async () => {
    const seat = await newSeat()
    const rivals = await Promise.all(Array.from({ length: 8 }, () => reserve(seat)))
    const results = await Promise.allSettled(rivals.map((rival) => setStatus(rival, 'PAID')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('[D22 control] without the index the same race sells the seat to all buyers', async () => {
    const seat = await newSeat()
    const rivals = await Promise.all(Array.from({ length: 8 }, () => reserve(seat)))
    const undo = new Error('undo')
    let paid = 0
    const unguarded = ledger.db.transaction().execute(async (transaction) => {
      await sql`drop index reservation_items_sold_once`.execute(transaction)
      for (const rival of rivals) {
        await sql`update reservations set status = 'PAID', paid_at = now() where id = ${rival}`.execute(transaction)
        paid += 1
      }
      throw undo
    })
    await expect(unguarded).rejects.toBe(undo)
    expect(paid).toBe(8)
  })

  test('[D23] a seat is held or sold only by a reservation that has it', async () => {
    const seat = await newSeat()
    const stranger = await reserve(await newSeat())
    await expect(hold(seat, randomUUID())).rejects.toMatchObject({ code: '23503' })
    await expect(hold(seat, stranger)).rejects.toMatchObject({ code: '23503' })
    await hold(seat, await reserve(seat))
  })

  test('[D23] a seat has a reservation exactly when it is held or sold, and a deadline exactly when it is held', async () => {
    const seat = await newSeat()
    const reservation = await reserve(seat)
    for (const change of [
      sql`status = 'held', reservation_id = null, held_until = now()`,
      sql`status = 'held', reservation_id = ${reservation}, held_until = null`,
      sql`status = 'sold', reservation_id = null, held_until = null`,
      sql`status = 'sold', reservation_id = ${reservation}, held_until = now()`,
      sql`status = 'available', reservation_id = ${reservation}, held_until = null`,
      sql`status = 'gone', reservation_id = null, held_until = null`,
    ]) {
      const update = sql`update seats set ${change} where id = ${seat}`.execute(ledger.db)
      await expect(update).rejects.toMatchObject({ code: '23514' })
    }
  })

  test('[D24] a reservation has one payment at a time, and no refund is larger than its capture', async () => {
    const reservation = await reserve(await newSeat())
    const declined = await pay(reservation, 'DECLINED')
    const first = await pay(reservation, 'PROCESSING')
    await expect(pay(reservation, 'PROCESSING')).rejects.toMatchObject({ constraint: 'purchases_one_at_a_time' })
    await expect(pay(reservation, 'STUCK')).rejects.toMatchObject({ constraint: 'purchases_one_at_a_time' })
    const change = (id: string, to: ReturnType<typeof sql>) =>
      sql`update purchases set ${to} where id = ${id}`.execute(ledger.db)
    await expect(change(first, sql`status = 'PAID'`)).rejects.toMatchObject({ code: '23514' })
    await change(first, sql`status = 'PAID', captured = amount`)
    await expect(change(first, sql`refunded = amount + 1`)).rejects.toMatchObject({ code: '23514' })
    await expect(change(first, sql`status = 'REFUNDED'`)).rejects.toMatchObject({ code: '23514' })
    await change(first, sql`status = 'REFUNDED', refunded = captured`)
    await change(declined, sql`status = 'PROCESSING'`)
  })

  test('[D25, D26] one live ticket for each identity, one entry for each place in the log', async () => {
    const roomId = randomUUID()
    const room = { id: roomId, event_id: eventId, name: 'Aurora Live', settings: { ...ROOM_DEFAULTS } }
    await ledger.db.insertInto('rooms').values(room).execute()
    const ticket = { room_id: roomId, identity: 'ada', place: 1, epoch: 1, joined_at: LATER }
    const draw = (number: number, ended: boolean) =>
      ledger.db
        .insertInto('queue_entries')
        .values({ ...ticket, number, state: ended ? 'expired' : 'waiting', reason: ended ? 'no_show' : null })
        .execute()
    await draw(1, true)
    await draw(2, false)
    await expect(draw(3, false)).rejects.toMatchObject({ constraint: 'queue_entries_live_identity' })

    const entry = sql`
      insert into room_log (room_id, epoch, seq, at, operation, kind, body, hash)
      values (${roomId}, 1, 1, now(), 'op', 'joined', '{}', '')`
    await entry.execute(ledger.db)
    await expect(entry.execute(ledger.db)).rejects.toMatchObject({ code: '23505' })
  })

  async function newSeat(): Promise<string> {
    const id = randomUUID()
    ordinal += 1
    await ledger.db.insertInto('seats').values({ id, event_id: eventId, seat_type_id: seatTypeId, ordinal }).execute()
    return id
  }

  async function reserve(seatId: string): Promise<string> {
    const id = randomUUID()
    const terms = { status: 'PENDING_PAYMENT', amount: 4500, currency: 'EUR', expires_at: LATER } as const
    await ledger.db
      .insertInto('reservations')
      .values({ id, event_id: eventId, buyer_id: randomUUID(), ...terms })
      .execute()
    await addItem(id, seatId, 'PENDING_PAYMENT')
    return id
  }

  async function addItem(reservationId: string, seatId: string, status: 'PENDING_PAYMENT' | 'PAID'): Promise<void> {
    const item = { reservation_id: reservationId, seat_id: seatId, seat_type_id: seatTypeId, price: 4500 }
    await ledger.db
      .insertInto('reservation_items')
      .values({ ...item, reservation_status: status })
      .execute()
  }

  async function setStatus(reservationId: string, status: 'PAID' | 'REFUNDED'): Promise<void> {
    await sql`update reservations set status = ${status}, paid_at = now() where id = ${reservationId}`.execute(
      ledger.db,
    )
  }

  async function hold(seatId: string, reservationId: string): Promise<void> {
    await sql`
      update seats set status = 'held', reservation_id = ${reservationId}, held_until = now() where id = ${seatId}
    `.execute(ledger.db)
  }

  async function pay(reservationId: string, status: 'PROCESSING' | 'DECLINED' | 'STUCK'): Promise<string> {
    const id = randomUUID()
    const purchase = { id, reservation_id: reservationId, provider: 'sandbox', amount: 4500, currency: 'EUR', status }
    await ledger.db.insertInto('purchases').values(purchase).execute()
    return id
  }
})
