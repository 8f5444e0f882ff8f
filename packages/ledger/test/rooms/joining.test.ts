import { randomUUID } from 'node:crypto'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { joining, type Ledger } from '../../src/index.ts'
import { forgetOld } from '../../src/privacy/forget-old.ts'
import { newRoom } from './log-kit.ts'

forEachLedger('joining', (openLedger) => {
  let ledger: Ledger
  let roomId: string
  beforeAll(async () => {
    ledger = await openLedger()
    roomId = (await newRoom(ledger)).room
  })

  it('[R120] servers add what they counted, and rooms that are gone are left out', async () => {
    const crowded = { roomId, reason: 'crowded_address' }
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        joining.addRefusals(ledger.db, [
          { ...crowded, count: index + 1 },
          { roomId, reason: 'wrong_code', count: 1 },
          { roomId: randomUUID(), reason: 'wrong_code', count: 1 },
        ]),
      ),
    )
    await joining.addRefusals(ledger.db, [])
    const counts = await joining.readRefusals(ledger.db, roomId)
    expect(counts.map(({ reason, count }) => [reason, count])).toEqual([
      ['crowded_address', 36],
      ['wrong_code', 8],
    ])
  })

  it('[R119] one verdict for a device is in force, a decision begins the next, and only the device appeals', async () => {
    const judged = { roomId, device: 'device-one' }
    const facts = () => ({ ...judged, id: randomUUID(), ticketNumber: 7 })
    const [first, again] = await Promise.all([
      joining.keepVerdict(ledger.db, facts()),
      joining.keepVerdict(ledger.db, facts()),
    ])
    expect(again.id).toBe(first.id)
    expect(Math.max(first.refusals, again.refusals)).toBe(2)
    expect(await joining.appealVerdict(ledger.db, { ...judged, device: 'other' }, first.id)).toBe(false)
    expect(await joining.appealVerdict(ledger.db, judged, 'no-id')).toBe(false)
    expect(await joining.appealVerdict(ledger.db, judged)).toBe(true)
    const other = await joining.keepVerdict(ledger.db, { ...facts(), device: 'device-two' })
    // The visitor's question comes first, although the other refusal is newer.
    expect((await joining.listVerdicts(ledger.db, roomId, 10)).map(({ id }) => id)).toEqual([first.id, other.id])

    const act = { roomId, eventId: null, id: first.id, by: randomUUID() }
    expect(await joining.letStand(ledger.db, { ...act, roomId: randomUUID() })).toBeNull()
    const decided = await joining.letStand(ledger.db, act)
    expect(decided?.standsAt).toEqual(expect.any(Date))
    expect(await joining.letStand(ledger.db, act)).toEqual(decided)
    expect(await joining.countAllowed(ledger.db, judged)).toBe(1)
    expect(await joining.appealVerdict(ledger.db, judged)).toBe(false)
    expect((await joining.keepVerdict(ledger.db, facts())).id).not.toBe(first.id)
    const trail = await ledger.db
      .selectFrom('operator_actions')
      .select('kind')
      .where('subject', '=', first.id)
      .execute()
    expect(trail).toEqual([{ kind: 'verdict.overturned' }])
  })

  it('[A93] [R119] verdicts are deleted with what else is kept of ended tickets', async () => {
    const [kept] = await joining.listVerdicts(ledger.db, roomId, 1)
    const old = await joining.keepVerdict(ledger.db, { roomId, device: 'old', id: randomUUID(), ticketNumber: 1 })
    await sql`update join_verdicts set last_at = last_at - interval '31 days' where id = ${old.id}`.execute(ledger.db)
    while (await forgetOld(ledger.db, 30));
    const ids = (await joining.listVerdicts(ledger.db, roomId, 10)).map(({ id }) => id)
    expect(ids).not.toContain(old.id)
    expect(ids).toContain(kept?.id)
  })
})
