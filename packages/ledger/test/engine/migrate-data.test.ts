import { randomUUID } from 'node:crypto'
import { type Ledger, openLedger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyMigrations, type Migration, readMigrations } from '../../src/engine/migrate.ts'

const HOUSE = '00000000-0000-4000-8000-000000000001'
const RECEIPT_ADDRESS = 'Main Street 1'

interface Person {
  readonly id: string
  readonly role: 'admin' | 'staff' | 'organizer' | 'buyer'
}
const person = (role: Person['role']): Person => ({ id: randomUUID(), role })

forEachLedger('migrations of a ledger with data', (_open, place) => {
  let ledger: Ledger
  let migrations: readonly Migration[]
  const [admin, staff, organizer, former, buyer] = [
    person('admin'),
    person('staff'),
    person('organizer'),
    // Was an organizer when the room and the webhook were made.
    person('buyer'),
    person('buyer'),
  ]
  const [organizersEvent, adminsEvent] = [randomUUID(), randomUUID()]
  const [organizersRoom, formersRoom, eventsRoom] = [randomUUID(), randomUUID(), randomUUID()]
  const [adminsHook, organizersHook, formersHook] = [randomUUID(), randomUUID(), randomUUID()]
  const [byPassword, byPasskey] = [randomUUID(), randomUUID()]

  const upTo = async (version: number): Promise<void> => {
    await applyMigrations(ledger, migrations.slice(0, version))
  }
  const rowsOf = async <Row>(text: string): Promise<Row[]> => (await sql<Row>`${sql.raw(text)}`.execute(ledger.db)).rows

  beforeAll(async () => {
    ledger = await openLedger(await place())
    migrations = await readMigrations(new URL('../../migrations/', import.meta.url))
    await upTo(20)
  }, 30_000)
  afterAll(() => ledger.close())

  test('[D55] 021 gives everyone the organization that their role stood for, with what they had made', async () => {
    for (const { id, role } of [admin, staff, organizer, former, buyer]) {
      await sql`insert into users (id, email, email_key, password_hash, name, role)
                values (${id}, ${id}, ${id}, 'argon2id', ${`The ${role}`}, ${role})`.execute(ledger.db)
    }
    await sql`update organizations set address = ${RECEIPT_ADDRESS} where id = ${HOUSE}`.execute(ledger.db)
    for (const [id, by] of [
      [organizersEvent, organizer],
      [adminsEvent, admin],
    ] as const) {
      await sql`insert into events (id, organizer_id, name, sales_start_at, sales_end_at)
                values (${id}, ${by.id}, 'Concert', now(), now() + interval '1 day')`.execute(ledger.db)
    }
    await sql`insert into rooms (id, event_id, name, settings)
              values (${eventsRoom}, ${organizersEvent}, 'Concert', '{}')`.execute(ledger.db)
    for (const [id, by] of [
      [organizersRoom, organizer],
      [formersRoom, former],
    ] as const) {
      await sql`insert into rooms (id, owner_id, name, target, settings)
                values (${id}, ${by.id}, 'Door', 'https://shop.example/', '{}')`.execute(ledger.db)
    }
    for (const [id, by] of [
      [adminsHook, admin],
      [organizersHook, organizer],
      [formersHook, former],
    ] as const) {
      await sql`insert into webhooks (id, owner_id, url, sealed_secret, sealed_with)
                values (${id}, ${by.id}, 'https://hooks.example/', '-', '-')`.execute(ledger.db)
    }
    await upTo(21)

    const members = await rowsOf<{ organization_id: string; user_id: string; role: string }>('select * from members')
    const ofHouse = members.filter(({ organization_id }) => organization_id === HOUSE)
    expect(new Map(ofHouse.map(({ user_id, role }) => [user_id, role]))).toEqual(
      new Map([
        [admin.id, 'owner'],
        [staff.id, 'box_office'],
      ]),
    )
    const own = members.filter(({ organization_id }) => organization_id !== HOUSE)
    expect(own).toMatchObject([{ user_id: organizer.id, role: 'owner' }])
    const theirs = own[0]?.organization_id ?? ''
    const [organization] = await rowsOf<object>(`select name, address from organizations where id = '${theirs}'`)
    expect(organization).toEqual({ name: 'The organizer', address: RECEIPT_ADDRESS })
    const owners = async (table: string) =>
      new Map(
        (await rowsOf<{ id: string; organization_id: string | null }>(`select id, organization_id from ${table}`)).map(
          (row) => [row.id, row.organization_id],
        ),
      )
    expect(await owners('events')).toEqual(
      new Map([
        [organizersEvent, theirs],
        [adminsEvent, HOUSE],
      ]),
    )
    expect(await owners('rooms')).toEqual(
      new Map([
        // A room of an event has the organization of its event.
        [eventsRoom, null],
        [organizersRoom, theirs],
        [formersRoom, HOUSE],
      ]),
    )
    // The former organizer heard nothing any more; the admins' webhook hears of every organization.
    expect(await owners('webhooks')).toEqual(
      new Map([
        [adminsHook, null],
        [organizersHook, theirs],
      ]),
    )
  })

  test('[D55] 023 keeps the sessions that were open, and 026 calls strong those that showed more than a password', async () => {
    await upTo(22)
    const session = (id: string, method: string) =>
      sql`insert into sessions (id, user_id, method, device, ends_at)
          values (${id}, ${admin.id}, ${method}, 'Firefox', now() + interval '1 hour')`.execute(ledger.db)
    await session(byPassword, 'password')
    await expect(session(randomUUID(), 'recovery')).rejects.toThrow()
    await upTo(23)
    await session(randomUUID(), 'recovery')
    await session(byPasskey, 'passkey')
    await upTo(26)
    const rows = await rowsOf<object>('select method, is_strong from sessions order by method')
    expect(rows).toEqual([
      { method: 'passkey', is_strong: true },
      { method: 'password', is_strong: false },
      { method: 'recovery', is_strong: true },
    ])
  })

  test('[D55] 024 finds the tickets that ended before it, whose addresses have to go', async () => {
    const rooms = [randomUUID(), randomUUID()]
    for (const [index, room] of rooms.entries()) {
      await sql`insert into queue_entries (room_id, number, identity, place, state, reason, epoch, joined_at, ended_at, address)
                values (${room}, ${index}, ${room}, 1, 'expired', 'cancelled', 1, now(), now() - interval '40 days',
                        ${index === 0 ? '192.0.2.7' : null})`.execute(ledger.db)
    }
    await sql`set enable_seqscan = off`.execute(ledger.db)
    const found = await rowsOf<{ room_id: string }>(
      `select room_id from queue_entries
        where ended_at < now() - interval '30 days'
          and (address is not null or user_agent is not null or metadata is not null)`,
    )
    expect(found.map(({ room_id }) => room_id)).toEqual([rooms[0]])
    const [user] = await rowsOf<object>(`select deleted_at from users where id = '${buyer.id}'`)
    expect(user).toEqual({ deleted_at: null })
  })

  test('[D55] the newest schema takes what came before it', async () => {
    await upTo(migrations.length)
    const [counts] = await rowsOf<object>(
      'select (select count(*)::int from users) as users, (select count(*)::int from events) as events',
    )
    expect(counts).toEqual({ users: 5, events: 2 })
  })
})
