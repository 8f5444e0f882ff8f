import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

forEachLedger('values and transactions', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
    await sql`create table notes (id integer primary key, body text)`.execute(ledger.db)
  })

  test('[D1] every type is read as the same kind of value', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as big, 1.5::real as small_float, 0.1::float8 as float, 12.340::numeric as exact,
             '2026-11-15T10:00:00.123Z'::timestamptz as at, '{"a": [1, null]}'::jsonb as json, true as yes,
             null::bigint as nothing, array[1, null]::bigint[] as bigs, array['ŕ', 'ベ']::text[] as texts,
             'Hà Nội'::text as text, '\\x00ff'::bytea as bytes
    `.execute(ledger.db)
    expect(rows).toEqual([
      {
        big: 9_007_199_254_740_991,
        small_float: 1.5,
        float: 0.1,
        exact: '12.340',
        at: new Date('2026-11-15T10:00:00.123Z'),
        json: { a: [1, null] },
        yes: true,
        nothing: null,
        bigs: [1, null],
        texts: ['ŕ', 'ベ'],
        text: 'Hà Nội',
        bytes: Buffer.from([0, 255]),
      },
    ])
  })

  test('[D1] every kind of value is written as the same type', async () => {
    const at = new Date('2026-11-15T10:00:00.123Z')
    const { rows } = await sql`
      select ${9_007_199_254_740_991}::bigint as big, ${at}::timestamptz as at, ${{ a: 'ż' }}::jsonb as json,
             ${[3, 1]}::bigint[] as bigs, ${['a,"b"', null]}::text[] as texts, ${null}::text as nothing
    `.execute(ledger.db)
    expect(rows).toEqual([
      { big: 9_007_199_254_740_991, at, json: { a: 'ż' }, bigs: [3, 1], texts: ['a,"b"', null], nothing: null },
    ])
  })

  test('[D2] an integer that a number cannot hold exactly is an error, and the connection goes on', async () => {
    await expect(sql`select 9007199254740992::bigint as big`.execute(ledger.db)).rejects.toThrow(/9007199254740992/)
    await expect(sql`select array[9007199254740993]::bigint[] as big`.execute(ledger.db)).rejects.toThrow(RangeError)
    await ledger.ping()
  })

  test('[D3] what is asked outside a transaction does not see or join it', async () => {
    const inside = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const transaction = ledger.db.transaction().execute(async (session) => {
      await sql`insert into notes values (1, 'inside')`.execute(session)
      inside.resolve()
      await goOn.promise
      throw new Error('changed my mind')
    })
    await inside.promise
    // On the embedded ledger this waits for the session; on a server it runs beside.
    const outside = sql`insert into notes values (2, 'outside') returning (select count(*) from notes) as seen`.execute(
      ledger.db,
    )
    goOn.resolve()
    await expect(transaction).rejects.toThrow('changed my mind')
    expect((await outside).rows).toEqual([{ seen: 0 }])
    expect((await sql`select body from notes`.execute(ledger.db)).rows).toEqual([{ body: 'outside' }])
  })

  test('[D4] a failed statement undoes its transaction and keeps its code', async () => {
    const failing = ledger.db.transaction().execute(async (session) => {
      await sql`insert into notes values (10, 'first')`.execute(session)
      await sql`insert into notes values (10, 'again')`.execute(session)
    })
    await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'notes_pkey' })
    expect((await sql`select * from notes where id = 10`.execute(ledger.db)).rows).toEqual([])
  })

  test('[D4] a transaction that swallows a failure inside does not commit quietly', async () => {
    const deceived = ledger.db.transaction().execute(async (session) => {
      await sql`insert into notes values (11, 'kept?')`.execute(session)
      await expect(sql`select 1 / 0`.execute(session)).rejects.toMatchObject({ code: '22012' })
    })
    await expect(deceived).rejects.toThrow()
    expect((await sql`select * from notes where id = 11`.execute(ledger.db)).rows).toEqual([])
  })

  test('[D5] the session speaks UTC', async () => {
    const { rows } = await sql`select '2026-07-01T12:00:00+02'::timestamptz::text as at`.execute(ledger.db)
    expect(rows).toEqual([{ at: '2026-07-01 10:00:00+00' }])
  })

  test('[D3] many callers at once each get their own answer, in the order of asking', async () => {
    const order: number[] = []
    const ask = async (number: number): Promise<void> => {
      const { rows } = await sql<{ n: number }>`select ${number}::int as n`.execute(ledger.db)
      expect(rows[0]?.n).toBe(number)
      order.push(number)
    }
    const numbers = Array.from({ length: 200 }, (_, number) => number)
    await Promise.all(numbers.map(ask))
    expect(ledger.kind === 'pglite' ? order : [...order].sort((a, b) => a - b)).toEqual(numbers)
  })
})
