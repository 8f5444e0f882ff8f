import { type Ledger, readEvent } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { DEMO_EVENT_ID, openDemoSale } from '../../src/main/demo-sale.ts'

const DAY_MS = 86_400_000

forEachLedger('demo sale', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it('[O47] is made once, however often and by however many servers it is asked for', async () => {
    const services = { ledger, now: () => Date.parse('2026-11-15T10:00:00Z') }
    await Promise.all([openDemoSale(services), openDemoSale(services), openDemoSale(services)])
    await openDemoSale(services)
    const rows = await ledger.db.selectFrom('events').select('id').execute()
    expect(rows).toEqual([{ id: DEMO_EVENT_ID }])
  })

  it('[O47] has standing places and numbered seats, and is on sale now', async () => {
    const event = await readEvent(ledger.db, DEMO_EVENT_ID)
    expect(event?.seatTypes.map(({ name, reservedSeating }) => [name, reservedSeating])).toEqual([
      ['Standing', false],
      ['Stalls', true],
    ])
    expect(event?.remainingSeats).toBe((event?.totalSeats ?? 0) - 3)
    expect(event?.salesStartAt.getTime()).toBeLessThan(Date.parse('2026-11-15T10:00:00Z'))
  })

  it('[O47] is still on sale when the server is started months later', async () => {
    const later = Date.parse('2026-11-15T10:00:00Z') + 100 * DAY_MS
    await openDemoSale({ ledger, now: () => later })
    const event = await readEvent(ledger.db, DEMO_EVENT_ID)
    expect(event?.salesEndAt.getTime()).toBeGreaterThan(later + 7 * DAY_MS)
    expect(event?.startsAt?.getTime()).toBeGreaterThan(event?.salesEndAt.getTime() ?? 0)
  })
})
