import { deepEqual, equal, rejects } from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { faults, publicEntry } from '@seatwise/domain'
import { forEachLedger } from '@seatwise/testbench'
import { afterEach, it } from 'vitest'
import { beginEpoch, copyLog, type Ledger, readLineMemory, readLiveTickets, readRoom } from '../../src/index.ts'
import { canonical } from '../../src/rooms/log/canonical.ts'
import { chainHashes } from '../../src/rooms/log/copy-log.ts'
import { joined, log, newRoom } from './log-kit.ts'

afterEach(() => faults.disarm())

forEachLedger('the ledger follows a room', (open) => {
  let opened: Promise<Ledger> | undefined
  const openOnce = () => {
    opened ??= open()
    return opened
  }

  it('[R14] copies entries once and keeps the tickets as the log left them', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    const entries = log(1, [
      joined(1),
      joined(2),
      joined(3),
      { kind: 'admitted', number: 1, class: 0, fence: 11, deadline: 5_000, active: false },
      { kind: 'entered', number: 1, deadline: 9_000 },
      { kind: 'reserved', numbers: [1], deadline: 20_000, quantity: 2 },
      { kind: 'expired', numbers: [2], reason: 'cancelled', ranks: [0] },
    ])
    deepEqual(await copyLog(ledger, room, entries), { status: 'copied', seq: 8 })
    deepEqual(await copyLog(ledger, room, entries), { status: 'copied', seq: 8 })
    const more = log(9, [
      { kind: 'reserved', numbers: [1], deadline: null, quantity: 0 },
      { kind: 'away', numbers: [3], ranks: [0] },
    ])
    deepEqual(await copyLog(ledger, room, [...entries, ...more]), { status: 'copied', seq: 10 })

    const rows = await ledger.db
      .selectFrom('queue_entries')
      .selectAll()
      .where('room_id', '=', room)
      .orderBy('number')
      .execute()
    deepEqual(
      rows.map(({ number, state, reason, away, reserved_seats }) => ({ number, state, reason, away, reserved_seats })),
      [
        { number: 1, state: 'active', reason: null, away: false, reserved_seats: 0 },
        { number: 2, state: 'expired', reason: 'cancelled', away: false, reserved_seats: 0 },
        { number: 3, state: 'waiting', reason: null, away: true, reserved_seats: 0 },
      ],
    )
    equal(rows[0]?.session_end?.getTime(), 9_000)
    equal(rows[0]?.deadline?.getTime(), 9_000, 'the session end is back after the reservation was lost')
    equal(rows[0]?.address, '192.0.2.1')
    const [count] = await ledger.db
      .selectFrom('room_log')
      .where('room_id', '=', room)
      .select((of) => of.fn.countAll<number>().as('n'))
      .execute()
    equal(Number(count?.n), 10)
  })

  it('[R14] one identity may end and join again in one batch', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    await copyLog(ledger, room, log(1, [joined(1)]))
    const again = { ...joined(2), identity: 'identity-0000001' }
    const batch = log(3, [{ kind: 'expired', numbers: [1], reason: 'cancelled', ranks: [0] }, again])
    deepEqual(await copyLog(ledger, room, batch), { status: 'copied', seq: 4 })
  })

  it('[R14] an account’s ticket may end and the account adopt a guest’s in one batch', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    const account = joined(1).identity
    await copyLog(ledger, room, log(1, [joined(1), joined(2)]))
    const batch = log(4, [
      { kind: 'expired', numbers: [1], reason: 'cancelled', ranks: [0] },
      { kind: 'adopted', number: 2, identity: account, userId: randomUUID() },
    ])
    deepEqual(await copyLog(ledger, room, batch), { status: 'copied', seq: 5 })
    const tickets = await ledger.db
      .selectFrom('queue_entries')
      .select(['number', 'identity', 'state'])
      .where('room_id', '=', room)
      .orderBy('number')
      .execute()
    deepEqual(tickets, [
      { number: 1, identity: account, state: 'expired' },
      { number: 2, identity: account, state: 'waiting' },
    ])
  })

  it('[R14] a full batch of 5,000 entries is projected to its last ticket', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    const entries = log(1, [
      ...Array.from({ length: 4_998 }, (_, index) => joined(index + 1)),
      { kind: 'admitted', number: 4_998, class: 0, fence: 11, deadline: 5_000, active: false },
    ])
    deepEqual(await copyLog(ledger, room, entries), { status: 'copied', seq: 5_000 })
    const rows = await ledger.db
      .selectFrom('queue_entries')
      .select(['number', 'state'])
      .where('room_id', '=', room)
      .orderBy('number', 'desc')
      .execute()
    equal(rows.length, 4_998)
    deepEqual(rows[0], { number: 4_998, state: 'admitted' })
  })

  it('[R14] [L7] the code of a ticket that ended stays used after a rebuild', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    const ended = { ...joined(1), code: 'ended' }
    const entries = [ended, { ...joined(2), code: 'waiting' }]
    await copyLog(
      ledger,
      room,
      log(1, [...entries, { kind: 'expired', numbers: [1], reason: 'cancelled', ranks: [0] }]),
    )
    const { usedCodes } = await readLineMemory(ledger.db, room, 0)
    deepEqual(usedCodes.toSorted(), ['ended', 'waiting'])
  })

  it('[R14] [L143] a code raises class and place of a ticket, and every code that it used stays used', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    const raised = (number: number, ticketClass: 1 | 2 | 3, code: string) =>
      ({ kind: 'classed', number, class: ticketClass, code, place: 1 / ticketClass, rank: 0, fromRank: 1 }) as const
    const first = [
      { ...joined(1), code: 'a', class: 1 as const },
      joined(2),
      joined(3),
      raised(1, 2, 'b'),
      raised(2, 1, 'c'),
    ]
    await copyLog(ledger, room, log(1, first))
    await copyLog(ledger, room, log(7, [raised(1, 3, 'd'), raised(3, 2, 'e'), raised(3, 3, 'f')]))
    const rows = await ledger.db
      .selectFrom('queue_entries')
      .select(['number', 'class', 'place', 'code', 'earlier_codes'])
      .where('room_id', '=', room)
      .orderBy('number')
      .execute()
    deepEqual(rows, [
      { number: 1, class: 3, place: 1 / 3, code: 'd', earlier_codes: ['a', 'b'] },
      { number: 2, class: 1, place: 1, code: 'c', earlier_codes: null },
      { number: 3, class: 3, place: 1 / 3, code: 'f', earlier_codes: ['e'] },
    ])
    const { usedCodes } = await readLineMemory(ledger.db, room, 0)
    deepEqual(usedCodes.toSorted(), ['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('[R14] a copier that fails before the commit leaves nothing behind', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    faults.arm('follow.before-commit', () => {
      throw new Error('the copier died')
    })
    await rejects(copyLog(ledger, room, log(1, [joined(1)])), /the copier died/)
    faults.disarm()
    equal((await readRoom(ledger.db, { roomId: room }))?.seq, 0)
    deepEqual(await copyLog(ledger, room, log(1, [joined(1)])), { status: 'copied', seq: 2 })
  })

  it('[R14] several copiers of the same entries at once write them once', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    const entries = log(1, [joined(1), joined(2), joined(3)])
    const replies = await Promise.all(Array.from({ length: 5 }, () => copyLog(ledger, room, entries)))
    deepEqual(new Set(replies.map(({ status }) => status)), new Set(['copied']))
    equal((await ledger.db.selectFrom('room_log').selectAll().where('room_id', '=', room).execute()).length, 4)
  })

  it('[D34] for a room that does not exist nothing is written', async () => {
    const ledger = await openOnce()
    const room = randomUUID()
    await rejects(copyLog(ledger, room, log(1, [joined(1)])), /has no room/)
    for (const table of ['room_log', 'queue_entries'] as const) {
      deepEqual(await ledger.db.selectFrom(table).select('room_id').where('room_id', '=', room).execute(), [])
    }
  })

  it('[R15] refuses another epoch, a gap, and other content under a known seq', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    await copyLog(ledger, room, log(1, [joined(1), joined(2)]))
    deepEqual(await copyLog(ledger, room, log(6, [joined(5)])), { status: 'gap', seq: 3 })
    deepEqual(await copyLog(ledger, room, log(3, [joined(7)])), { status: 'conflict', seq: 3 })
    await beginEpoch(ledger.db, { room, lostEpoch: 1, reason: 'test', unseenMax: 10 })
    deepEqual(await copyLog(ledger, room, log(4, [joined(3)])), { status: 'other-epoch', epoch: 2 })
    equal((await ledger.db.selectFrom('room_log').selectAll().where('room_id', '=', room).execute()).length, 3)
  })

  it('[R14] [R16] whatever text there is arrives as it was, and is hashed as it is shown', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    const text = String.raw`"Ada" \, {null} ü`
    const particular = { code: text, limitKey: text, shown: { name: text, avatar: null } }
    const profile = { userId: randomUUID(), name: text, userAgent: text, metadata: { from: text } }
    const entries = log(1, [
      { ...joined(1), identity: String.raw`a"b\c`, place: 0.1, ...particular, profile: JSON.stringify(profile) },
      { ...joined(2), profile: '{}' },
    ]).map((entry) => ({ ...entry, operation: text }))
    await copyLog(ledger, room, entries)
    let previous = ''
    const copied = ledger.db.selectFrom('room_log').where('room_id', '=', room).orderBy('seq')
    deepEqual(
      await copied.select(['operation', 'hash']).execute(),
      entries.map((entry) => {
        previous = hash('sha256', previous + JSON.stringify(publicEntry(entry)), 'hex')
        return { operation: text, hash: previous }
      }),
    )
    const tickets = ledger.db.selectFrom('queue_entries').where('room_id', '=', room).orderBy('number')
    const columns = ['identity', 'place', 'code', 'limit_key', 'shown', 'user_id', 'name', 'user_agent'] as const
    const none = {
      code: null,
      limit_key: null,
      shown: null,
      user_id: null,
      name: null,
      user_agent: null,
      metadata: null,
    }
    deepEqual(await tickets.select([...columns, 'metadata']).execute(), [
      {
        ...{ identity: String.raw`a"b\c`, place: 0.1, code: text, limit_key: text, shown: particular.shown },
        ...{ user_id: profile.userId, name: text, user_agent: text, metadata: profile.metadata },
      },
      { identity: 'identity-0000002', place: 2, ...none },
    ])
  })

  it('[R16] each hash covers the public content and the hash before it, over batches and epochs', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    const first = log(1, [joined(1), joined(2)])
    const second = log(4, [{ kind: 'changed', by: 'ada', settings: { ratePerMinute: 9, capacity: 3 }, paused: true }])
    await copyLog(ledger, room, first)
    await copyLog(ledger, room, second)
    const stored = await ledger.db
      .selectFrom('room_log')
      .where('room_id', '=', room)
      .select('hash')
      .orderBy('seq')
      .execute()
    deepEqual(
      stored.map(({ hash }) => hash),
      chainHashes([...first, ...second].map(canonical), ''),
    )
    const shown = JSON.stringify([...first, ...second].map(publicEntry))
    for (const secret of ['identity-', '192.0.2.1', 'Ada Lovelace', 'ada']) equal(shown.includes(secret), false, secret)
  })

  it('[R20] a new epoch begins beyond every number the lost log could have held, and only once', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    await copyLog(ledger, room, log(1, [joined(1), joined(2), { ...joined(3), class: 2, place: 1.5, code: 'c1' }]))
    const [a, b] = await Promise.all(
      [1, 2].map(() => beginEpoch(ledger.db, { room, lostEpoch: 1, reason: 'flushed', unseenMax: 1_000 })),
    )
    deepEqual([a?.status, b?.status].sort(), ['begun', 'other-epoch'])
    const begun = a?.status === 'begun' ? a : b
    deepEqual(begun, { status: 'begun', epoch: 2, nextNumber: 1_004 })
    const tickets = []
    for await (const chunk of readLiveTickets(ledger.db, room, 2)) tickets.push(...chunk)
    deepEqual(
      tickets.map(({ number, place }) => [number, place]),
      [
        [1, 1],
        [2, 2],
        [3, 1.5],
      ],
    )
    deepEqual(await readLineMemory(ledger.db, room, 0), {
      lastPlaces: [2, -1e15, 1.5, -1e15],
      passedPlace: null,
      usedCodes: ['c1'],
      hasStarted: true,
      marks: [{ epoch: 1, mark: 3, firstNumber: 1 }],
    })
    const third = await beginEpoch(ledger.db, { room, lostEpoch: 2, reason: 'again', unseenMax: 1_000 })
    deepEqual(third, { status: 'begun', epoch: 3, nextNumber: 2_004 })
  })
})

/** Consecutive entries of epoch 1; the first entry of the epoch is added when they start at 1. */
