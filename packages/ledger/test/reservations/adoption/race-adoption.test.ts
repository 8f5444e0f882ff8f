import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger, seededRandom, testSeed } from '@seatwise/testbench'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { countsInOrder, hold, openStanding } from '../sale-kit.ts'
import { type Account, adopt, belongingsOf, expectNothingLeft, makeAccount, NOTHING } from './adoption-kit.ts'
import { claimWhile, raceAdoption, WITNESSES } from './race-adoption-kit.ts'

const RACES = 25

forEachLedger('adoption and everything else at once', (open) => {
  let ledger: Ledger
  let account: Account
  beforeAll(async () => {
    ledger = await open()
    account = await makeAccount(ledger)
  })
  afterEach(() => faults.disarm())

  it('[A45][B50][I29][I31] no interleaving with claims, payments, cancelling, expiry and a second sign-in leaves anything behind', async () => {
    const seed = testSeed()
    const random = seededRandom(seed)
    const witness = new Set<string>()
    for (let race = 0; race < RACES; race += 1) {
      await raceAdoption(ledger, race, random, witness).catch((error: unknown) => {
        throw new Error(`Race ${race} with seed ${seed}`, { cause: error })
      })
    }
    expect(WITNESSES.filter((event) => !witness.has(event))).toEqual([])
  })

  it('[A45][I31] a claim in another event that is being written when the guest signs in is the account’s', async () => {
    const { guest, claimed } = await claimWhile(ledger, async (guestId) => {
      expect((await adopt(ledger, guestId, account)).status).toBe('adopted')
    })
    expect(claimed.buyerId).toBe(account.id)
    await expectNothingLeft(ledger, guest)
  })

  it('[A48][I31] a server that dies inside the adoption leaves everything as it was', async () => {
    const sale = await openStanding(ledger, 3)
    const guest = randomUUID()
    await hold(sale, 1, { buyerId: guest })
    const before = await belongingsOf(ledger, guest)
    faults.arm('adopt.inside-transaction', () => {
      throw new Error('killed')
    })
    const user = await makeAccount(ledger)
    await expect(adopt(ledger, guest, user)).rejects.toThrow('killed')
    expect([await belongingsOf(ledger, guest), await belongingsOf(ledger, user.id)]).toEqual([before, NOTHING])
    faults.disarm()
    expect((await adopt(ledger, guest, user)).status).toBe('adopted')
    await countsInOrder(sale)
  })
})
