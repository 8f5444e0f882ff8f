import { randomUUID } from 'node:crypto'
import {
  isAboutTheWork,
  moveSandboxPayments,
  openSandboxPayments,
  type Primary,
  readSandboxPayment,
  readSandboxRefunded,
  refundSandboxPayment,
  type SandboxMove,
  type SandboxOrder,
  type SandboxPayment,
} from '@seatwise/ledger'
import { createBatcher } from '@seatwise/line'
import type { MethodProvider, PaymentState } from '../provider.ts'
import { readSandboxMethod } from './sandbox-method.ts'
import { SANDBOX_SIGNATURE_HEADER, type SandboxSignature } from './sandbox-signature.ts'

/** Calls that arrive together update the sandbox's books in one statement. */
const BATCH_MAX = 100
const QUEUED_MAX = 10_000
/** How long `sandbox_slow` takes. */
const SLOW_SECONDS = 1

export interface SandboxOptions {
  readonly ledger: Primary
  readonly signature: SandboxSignature
  /** Where buyers reach this site, without a trailing slash; empty for a relative address. */
  readonly site: string
}

/**
 * A payment provider that moves no money. Its books are in the ledger, so that they are shared and survive restarts.
 */
export function createSandbox({ ledger, signature, site }: SandboxOptions): MethodProvider {
  const shared = { maxItems: BATCH_MAX, maxQueued: QUEUED_MAX, isAboutItems: isAboutTheWork }
  const opening = createBatcher({
    ...shared,
    run: (orders: readonly SandboxOrder[]) => openSandboxPayments(ledger, orders),
  })
  const moving = createBatcher({
    ...shared,
    run: (moves: readonly SandboxMove[]) => moveSandboxPayments(ledger, moves),
  })
  return {
    name: 'sandbox',
    kind: 'methods',
    accepts: (method) => readSandboxMethod(method) !== null,
    async prepare({ purchaseId, reservationId, amount, currency }) {
      const returnUrl = `${site}/checkout/${reservationId}`
      return await opening.send({ ref: `sbx_${randomUUID()}`, purchaseId, amount, currency, returnUrl })
    },
    async pay(ref, method) {
      const moved = await moving.send({ ref, from: ['created'], ...firstMove(method) })
      return stateOf(moved ?? (await known(ref)))
    },
    status: async (ref) => stateOf(await known(ref)),
    async cancel(ref) {
      const moved = await moving.send({ ref, from: ['created', 'requires_action'], to: 'canceled' })
      return stateOf(moved ?? (await known(ref)))
    },
    refund: (ref, { refundId, amount }) => refundSandboxPayment(ledger, { ref, key: refundId, amount }),
    refunded: (ref) => readSandboxRefunded(ledger.db, ref),
    readWebhook(body, headers) {
      if (!signature.isValid(body, headers[SANDBOX_SIGNATURE_HEADER])) return null
      const news: unknown = JSON.parse(body.toString())
      return isNews(news) ? { ref: news.ref } : 'none'
    },
  }

  async function known(ref: string): Promise<SandboxPayment> {
    const payment = await readSandboxPayment(ledger.db, ref)
    if (payment === null) throw new Error(`The sandbox knows no payment ${ref}`)
    return payment
  }

  function stateOf({ ref, status, captured, method }: SandboxPayment): PaymentState {
    switch (status) {
      case 'created':
        return { status: 'unpaid' }
      case 'requires_action':
        return { status: 'requires_action', url: `${site}${hostedPagePath(ref)}` }
      case 'processing':
        return { status: 'pending' }
      case 'succeeded':
        return { status: 'captured', amount: captured }
      case 'failed':
        return { status: 'declined', reason: `The sandbox declined ${method ?? 'the payment'}` }
      case 'canceled':
        return { status: 'declined', reason: 'The payment was canceled' }
    }
  }
}

export const hostedPagePath = (ref: string): string => `/sandbox/pay/${ref}`

function firstMove(text: string) {
  const method = readSandboxMethod(text)
  if (method === null) return { to: 'failed', method: text } as const
  const { kind, mischief, endsDeclined } = method
  const what = { method: text, mischief }
  switch (kind) {
    case 'ok':
      return { ...what, to: 'succeeded' } as const
    case 'declined':
      return { ...what, to: 'failed' } as const
    case '3ds':
      return { ...what, to: 'requires_action' } as const
    case 'slow':
      return {
        ...what,
        to: 'processing',
        concludes: { afterSeconds: SLOW_SECONDS, as: endsDeclined ? 'failed' : 'succeeded' },
      } as const
  }
}

const isNews = (value: unknown): value is { ref: string } =>
  typeof value === 'object' && value !== null && 'ref' in value && typeof value.ref === 'string'
