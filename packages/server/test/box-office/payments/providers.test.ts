import { randomBytes } from 'node:crypto'
import { concludeSandboxPayments } from '@seatwise/ledger'
import { forEachLedger, type PageStandIn, type ProviderWebhook } from '@seatwise/testbench'
import { expect, it } from 'vitest'
import { createSandbox } from '../../../src/box-office/payments/sandbox/sandbox-provider.ts'
import {
  createSandboxSignature,
  SANDBOX_SIGNATURE_HEADER,
} from '../../../src/box-office/payments/sandbox/sandbox-signature.ts'
import { letTimePass } from '../../support/payment-time.ts'
import { openMollie, openStripe } from '../../support/stand-ins.ts'
import { type Counter, pageCounter, sandboxCounter } from './counters.ts'
import { type BuyerDeed, orderOf, type ProviderBench, providerContract } from './provider-contract.ts'

const METHODS = {
  pay: 'sandbox_ok',
  decline: 'sandbox_declined',
  'slow-paid': 'sandbox_slow',
  'slow-declined': 'sandbox_slow:declined',
  leave: 'sandbox_3ds',
} as const satisfies Record<BuyerDeed, string>

forEachLedger('the sandbox', (open) => {
  providerContract('sandbox', async () => {
    const ledger = await open()
    const signature = createSandboxSignature([randomBytes(32)], Date.now)
    const provider = createSandbox({ ledger, site: '', signature })
    return {
      provider,
      troubles: null,
      closesPages: true,
      buyer: async (ref, deed) => void (await provider.pay(ref, METHODS[deed])),
      async conclude() {
        await letTimePass(ledger.db, 5)
        await concludeSandboxPayments(ledger.db, 100)
      },
      books: sandboxCounter(provider, ledger).books,
      async webhook(ref) {
        const body = JSON.stringify({ id: '1', type: 'payment', ref })
        return { body, headers: { [SANDBOX_SIGNATURE_HEADER]: signature.sign(body) } }
      },
      close: async () => undefined,
    }
  })
})

interface AtWork {
  readonly provider: Counter['provider']
  readonly standIn: PageStandIn
  close(): Promise<void>
}

async function benchOf(atWork: Promise<AtWork>, closesPages: boolean): Promise<ProviderBench> {
  const { provider, standIn, close } = await atWork
  const slow: [string, boolean][] = []
  const sent: ProviderWebhook[] = []
  standIn.onWebhook = (webhook) => void sent.push(webhook)
  return {
    ...{ provider, closesPages, close, troubles: standIn.troubles },
    async buyer(ref, deed) {
      if (deed === 'leave') return
      const isSlow = deed === 'slow-paid' || deed === 'slow-declined'
      if (isSlow) slow.push([ref, deed === 'slow-paid'])
      standIn.act(ref, isSlow ? 'slow' : deed)
    },
    async conclude() {
      for (const [ref, isPaid] of slow.splice(0)) standIn.finish(ref, isPaid)
    },
    books: pageCounter(provider, standIn).books,
    async webhook(ref) {
      const found = sent.findLast(({ body }) => body.includes(ref))
      if (found === undefined) throw new Error(`No webhook was sent about ${ref}`)
      return found
    },
  }
}

providerContract('Stripe', () => benchOf(openStripe(), true))
providerContract('Mollie', () => benchOf(openMollie(), false))
providerContract('Mollie, payments that can be canceled', async () => {
  const mollie = await openMollie()
  mollie.standIn.isCancelable = true
  return await benchOf(Promise.resolve(mollie), true)
})

it('[B73 control] a provider that charges again for the same order is detected', async () => {
  const { provider, standIn, close } = await openStripe()
  const order = orderOf()
  const careless = { ...order, email: 'other@example.com' }
  await provider.prepare(order)
  await expect(provider.prepare(careless)).rejects.toThrow(/Keys are for one request/)
  expect(standIn.books()).toHaveLength(1)
  await close()
})
