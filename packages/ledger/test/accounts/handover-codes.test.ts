import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { forEachLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { beforeAll, it } from 'vitest'
import { keepHandoverCode, type Ledger, releaseHandoverCode, useHandoverCode } from '../../src/index.ts'
import { newRoom } from '../rooms/log-kit.ts'

const DEVICES = 8

forEachLedger('hand-over codes', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it('[R5] of many devices that use a code at the same moment the ledger gives the ticket to one', async () => {
    equal((await race(ledger)).length, 1)
  })

  it('[R5 control] if the ledger forgot who used a code, the same race would give the ticket to every device', async () => {
    const careless = await open()
    await forgetUse(careless)
    equal((await race(careless)).length, DEVICES)
  })

  it('[R5] the operation that used a code may ask again, and others only after it gave the code back', async () => {
    const { db } = ledger
    const code = await keepCode(ledger)
    const [first, other] = [randomUUID(), randomUUID()]
    const ticket = await useHandoverCode(db, { ...code, operation: first })
    equal(ticket?.number, 7)
    deepEqual(await useHandoverCode(db, { ...code, operation: first }), ticket)
    equal(await useHandoverCode(db, { ...code, operation: other }), null)
    await releaseHandoverCode(db, { roomId: code.roomId, number: 7, operation: first })
    deepEqual(await useHandoverCode(db, { ...code, operation: other }), ticket)
  })
})

/** The devices that got the ticket. */
async function race(ledger: Ledger): Promise<unknown[]> {
  const { db } = ledger
  const code = await keepCode(ledger)
  const tries = Array.from({ length: DEVICES }, () => useHandoverCode(db, { ...code, operation: randomUUID() }))
  return (await Promise.all(tries)).filter((ticket) => ticket !== null)
}

async function keepCode(ledger: Ledger): Promise<{ roomId: string; codeHashes: string[] }> {
  const { room: roomId } = await newRoom(ledger)
  const codeHash = randomUUID()
  const ticket = { number: 7, identity: 'ada', generation: 1, ownerId: randomUUID(), isGuest: false }
  await keepHandoverCode(ledger.db, { roomId, codeHash, ticket, lifeSeconds: 60 })
  return { roomId, codeHashes: [codeHash] }
}

/** Turns the condition of the update off, in a ledger of the test's own. */
async function forgetUse({ db }: Ledger): Promise<void> {
  await sql`
    create function forget_use() returns trigger language plpgsql as $$
    begin
      new.used_by := null;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger forget_use before update on handover_codes
       for each row execute function forget_use()`.execute(db)
}
