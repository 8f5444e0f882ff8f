import type { Change } from '@seatwise/domain'
import { copyLog } from '@seatwise/ledger'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { countedLedger } from '../support/counted-ledger.ts'
import { joined, log, newRoom } from './log-kit.ts'

const TICKETS = 2_000
const CHANGED = 100
/** Looks into tables for one ticket that changes: itself, and the room now and then. */
const ROWS_PER_TICKET_MAX = 3

const ledger = countedLedger()

it('[R31] copying changes reads the tickets they are about, whatever the planner has counted', async () => {
  await changeSome('nothing was counted yet')
  await sql`analyze`.execute(ledger.current.db)
  await changeSome('other rooms were counted')
})

async function changeSome(when: string): Promise<void> {
  const { room } = await newRoom(ledger.current)
  let seq = await fill(room)
  const numbers = Array.from({ length: CHANGED }, (_, index) => index * 7 + 1)
  const batches: Change[][] = [
    numbers.map((number) => ({ kind: 'admitted', number, class: 0, fence: number, deadline: 5_000, active: true })),
    [{ kind: 'reserved', numbers, deadline: 20_000, quantity: 2 }],
  ]
  for (const changes of batches) {
    const before = await ledger.rowsRead()
    expect(await copyLog(ledger.current, room, log(seq, changes))).toMatchObject({ status: 'copied' })
    expect((await ledger.rowsRead()) - before, `${changes[0]?.kind}, ${when}`).toBeLessThan(
      CHANGED * ROWS_PER_TICKET_MAX,
    )
    seq += changes.length
  }
}

/** People who wait; returns the place of the next entry. */
async function fill(room: string): Promise<number> {
  const changes = Array.from({ length: TICKETS }, (_, index) => joined(index + 1))
  expect(await copyLog(ledger.current, room, log(1, changes))).toMatchObject({ status: 'copied' })
  return changes.length + 2
}
