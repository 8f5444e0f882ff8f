import { numberReceipts, runStatement } from '@seatwise/ledger'
import { forEachLedger, type StripeStandIn } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askCharges } from '../../../src/box-office/payments/ask-charges.ts'
import { Cashier } from '../../support/payment.ts'
import { openRoomServer, RoomBench, type RoomServer } from '../../support/room.ts'
import { openStripe, SITE } from '../../support/stand-ins.ts'

forEachLedger('what a provider charges', (open) => {
  let standIn: StripeStandIn
  let closeProvider: () => Promise<void>
  let server: RoomServer
  let cashier: Cashier
  beforeAll(async () => {
    const stripe = await openStripe()
    standIn = stripe.standIn
    closeProvider = stripe.close
    server = await openRoomServer(await open(), { env: { ...standIn.settings, SEATWISE_PUBLIC_URL: SITE } })
    cashier = await Cashier.open(await RoomBench.open(server))
  })
  afterAll(async () => {
    await server.close()
    await closeProvider()
  })

  /** A minute passes for charges that were asked for before. */
  async function ask(): Promise<void> {
    const earlier = "update provider_charges set asked_at = asked_at - interval '1 minute'"
    await runStatement(server.ledger.db, { name: 'a test', sql: earlier }, [])
    await askCharges(cashier.payments)
  }

  it('[B164] Stripe is asked for its charge until it says, and the settlement subtracts it', async () => {
    const { buyer, reservation } = await cashier.ready()
    expect((await cashier.pay(buyer, reservation.id)).statusCode).toBe(202)
    const purchases = server.ledger.db.selectFrom('purchases').select('id')
    const { id } = await purchases.where('reservation_id', '=', reservation.id).executeTakeFirstOrThrow()
    standIn.isBooking = false
    standIn.act(standIn.refOf(id), 'pay')
    await cashier.wait(60)
    await cashier.watch()
    await numberReceipts(server.ledger)
    const settled = async () => {
      const answer = await cashier.bench.call('GET', `${buyer.sale}/settlement`, {
        as: cashier.bench.organizer.authorization,
      })
      return answer.json<object>()
    }
    await ask()
    expect(await settled()).toMatchObject({ totals: [{ gross: 9_000, charges: 0, payout: 9_000 }], chargesUnknown: 1 })
    standIn.isBooking = true
    // Just asked: not again so soon.
    await askCharges(cashier.payments)
    expect(await settled()).toMatchObject({ chargesUnknown: 1 })
    await ask()
    expect(await settled()).toMatchObject({ totals: [{ charges: 291, payout: 8_709 }], chargesUnknown: 0 })
  })
})
