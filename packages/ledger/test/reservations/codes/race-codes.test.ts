import { randomUUID } from 'node:crypto'
import { cancelReservation, type Ledger, openLedger } from '@seatwise/ledger'
import { postgresDatabase, seededRandom, testSeed } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countsInOrder, openStanding, type Sale } from '../sale-kit.ts'
import { codeClaim, makeCode, raceFrom, usesOf, useUnguarded } from './codes-kit.ts'

const BUYERS = 200
const USES = 50

describe('the race for the uses of a code', () => {
  let ledgers: Ledger[] = []
  const undo: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const database = await postgresDatabase('migrated')
    undo.push(() => database.drop())
    ledgers = await Promise.all([1, 2, 3].map(() => openLedger({ kind: 'postgres', url: database.url })))
    undo.push(...ledgers.map((ledger) => () => ledger.close()))
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  async function openRace(): Promise<{ sales: Sale[]; sale: Sale; codeId: string }> {
    const [first] = ledgers
    if (first === undefined) throw new Error('Three ledgers are open')
    const sale = await openStanding(first, 2 * BUYERS)
    const codeId = await makeCode(sale, { code: 'FIFTY', percent: 20, usesMax: USES })
    return { sale, codeId, sales: ledgers.map((ledger) => ({ ...sale, ledger })) }
  }

  it('[B112] 200 buyers, 50 uses, three pools: exactly 50 get the price, and a use that returns is used once more', async () => {
    const random = seededRandom(testSeed())
    const { sales, sale, codeId } = await openRace()
    const claims = Array.from({ length: BUYERS }, () => codeClaim(sale, 1 + Math.floor(random() * 2), 'FIFTY'))
    const replies = await raceFrom(sales, claims, { batchMax: 8, random })
    const won = claims.filter((_, index) => replies[index]?.status === 'held')
    expect(won).toHaveLength(USES)
    expect(replies.filter(({ status }) => status === 'code_used_up')).toHaveLength(BUYERS - USES)
    expect(await usesOf(sale, codeId)).toBe(USES)

    // Ten come back while others ask again: never more than 50 at any moment, and none is lost.
    const returning = won.slice(0, 10).map(({ reservationId, buyerId }, index) => {
      const { ledger } = sales[index % sales.length] ?? sale
      return cancelReservation(ledger, { reservationId, buyerId })
    })
    const again = Array.from({ length: 40 }, () => codeClaim(sale, 1, 'FIFTY', { buyerId: randomUUID() }))
    const [more] = await Promise.all([raceFrom(sales, again, { batchMax: 4, random }), ...returning])
    const gained = more.filter(({ status }) => status === 'held').length
    expect(gained).toBeLessThanOrEqual(10)
    expect(await usesOf(sale, codeId)).toBe(USES - 10 + gained)
    await countsInOrder(sale)
  })

  it('[B112] without the lock the database alone refuses one use too many', async () => {
    const { sale, codeId } = await openRace()
    await expect(useUnguarded(sale, codeId, BUYERS)).rejects.toThrow(/codes_not_used_up/)
  })

  it('[B112 control] without the lock and the constraint the same race uses the code too often', async () => {
    const { sale, codeId } = await openRace()
    const { db } = sale.ledger
    await sql`alter table codes drop constraint codes_not_used_up`.execute(db)
    expect(await useUnguarded(sale, codeId, BUYERS)).toBeGreaterThan(USES)
    expect(await usesOf(sale, codeId)).toBeGreaterThan(USES)
  })
})
