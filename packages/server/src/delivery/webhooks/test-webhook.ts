import { randomUUID } from 'node:crypto'
import type { Webhook } from '@seatwise/ledger'
import type { Base } from '../../http/index.ts'
import type { Resolve } from './pin-address.ts'
import { callWithNews } from './send-news-by-webhook.ts'

export interface TestCall {
  readonly isDelivered: boolean
  /** Why it was not: what the receiver answered, or what kept it from answering. */
  readonly problem: string | null
  readonly durationMs: number
}

/** Of `data` of a test call, so that a receiver cannot take it for news. */
const NOTHING_HAPPENED = { message: 'A test call: nothing has happened.' }

/** Calls a webhook at once, signed like every call, and tells how it went. It is not retried and stands in no log. */
export async function testWebhook(
  { ledger, config, secrets, now }: Pick<Base, 'ledger' | 'config' | 'secrets' | 'now'>,
  webhook: Webhook,
  resolve?: Resolve,
): Promise<TestCall> {
  const desk = { ledger, secrets, now, privateWebhooks: config.privateWebhooks, ...(resolve && { resolve }) }
  const news = {
    id: randomUUID(),
    type: 'test',
    at: new Date(now()),
    data: { ...NOTHING_HAPPENED, webhookId: webhook.id },
  }
  const startedAt = performance.now()
  const since = (): number => Math.round(performance.now() - startedAt)
  try {
    await callWithNews(desk, webhook, news)
    return { isDelivered: true, problem: null, durationMs: since() }
  } catch (error) {
    return { isDelivered: false, problem: error instanceof Error ? error.message : String(error), durationMs: since() }
  }
}
