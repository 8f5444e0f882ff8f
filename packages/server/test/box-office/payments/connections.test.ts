import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import type { MethodProvider } from '../../../src/box-office/payments/provider.ts'
import { refundPurchase } from '../../../src/box-office/payments/refund-purchase.ts'
import { query } from '../../support/payment-time.ts'
import { PaymentWorld } from './payment-world.ts'

forEachLedger('while a provider thinks', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it('[B29] no connection is in use and no seat map is locked', async () => {
    const world = await PaymentWorld.open(ledger, 1, 1)
    const calls: string[] = []
    /** Every call of the provider happens while no connection and no lock is held. */
    const observed =
      <Arguments extends unknown[], Result>(name: string, call: (...args: Arguments) => Promise<Result>) =>
      async (...args: Arguments): Promise<Result> => {
        calls.push(name)
        const { open: all, idle, waiting } = ledger.connections()
        expect({ name, busy: all - idle, waiting }).toEqual({ name, busy: 0, waiting: 0 })
        // Fails at once if another session holds the lock.
        await query(ledger.db, 'select 1 from seat_maps where event_id = $1 for update nowait', [world.eventId])
        await query(ledger.db, 'select 1 from purchases for update nowait')
        return await call(...args)
      }
    const { prepare, pay, status, refund } = world.sandbox
    const provider: MethodProvider = {
      ...world.sandbox,
      prepare: observed('prepare', prepare),
      pay: observed('pay', pay),
      status: observed('status', status),
      refund: observed('refund', refund),
    }
    Object.assign(world.payments, { provider })
    await world.reserve(0, [0])
    expect(await world.pay(0, 'sandbox_slow')).toBe(202)
    await world.wait(4)
    await world.watch()
    const [purchase] = await world.purchases()
    expect(purchase?.status).toBe('PAID')
    await refundPurchase(world.payments, { purchaseId: purchase?.id ?? '', reason: 'a test' })
    expect(calls).toEqual(['prepare', 'pay', 'status', 'refund'])
    expect(await world.account()).toEqual([])
  })
})
