import { type Delivery, type Ledger, readWebhook, type Webhook } from '@seatwise/ledger'
import { VERSION } from '../../config/index.ts'
import type { CallOptions } from './call-pinned.ts'
import { callWebhook } from './call-webhook.ts'
import type { Resolve } from './pin-address.ts'
import { signCall } from './sign-call.ts'
import { createWebhookSecrets } from './webhook-secret.ts'

export interface WebhookDesk {
  readonly ledger: Ledger
  readonly secrets: readonly Buffer[]
  readonly privateWebhooks: boolean
  readonly resolve?: Resolve
  readonly now: () => number
}

/** Calls a webhook; if it was deleted meanwhile, there is nothing to call. */
export async function sendNewsByWebhook(desk: WebhookDesk, news: Delivery): Promise<void> {
  const webhook = news.webhookId === null ? null : await readWebhook(desk.ledger.db, news.webhookId)
  if (webhook === null) return
  const { newsId: id, type, createdAt: at, payload } = news
  await callWithNews(desk, webhook, { id, type, at, data: withoutKeys(payload) })
}

export interface WebhookNews {
  /** The `webhook-id` of the call. */
  readonly id: string
  readonly type: string
  readonly at: Date
  readonly data: Readonly<Record<string, unknown>>
}

/** One signed call. Throws unless the receiver answers 2xx. */
export async function callWithNews(
  desk: WebhookDesk,
  webhook: Webhook,
  { id, type, at, data }: WebhookNews,
): Promise<void> {
  const secret = await createWebhookSecrets(desk.secrets, desk.ledger).open(webhook)
  const body = JSON.stringify({ type, timestamp: at, data })
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Seatwise/${VERSION}`,
    ...signCall(secret, { id, atMs: desk.now(), body }),
  }
  const options: CallOptions = {
    allowPrivate: desk.privateWebhooks,
    ...(desk.resolve === undefined ? {} : { resolve: desk.resolve }),
  }
  await callWebhook({ url: webhook.url, headers, body }, options)
}

/** The key under which a buyer reads the outcome belongs to the buyer alone. */
function withoutKeys({ operationKey: _, ...payload }: Record<string, unknown>): Record<string, unknown> {
  return payload
}
