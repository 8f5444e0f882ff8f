import { randomUUIDv7 } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import { createWebhook, type Webhook } from '@seatwise/ledger'
import { type Actor, accountOf, type Base } from '../../http/index.ts'
import { chooseOrganization } from '../../identity/index.ts'
import { requireWebhookUrl } from './require-url.ts'
import { createWebhookSecrets } from './webhook-secret.ts'
import type { WebhookType } from './webhook-types.ts'

const WEBHOOKS_MAX = 20

export interface WebhookWish {
  readonly organizationId?: string | undefined
  readonly url: string
  readonly types?: readonly WebhookType[] | undefined
}

/** Makes a webhook. Its secret is in this answer, and sealed in the ledger. */
export async function makeWebhook(
  { ledger, config, secrets }: Pick<Base, 'ledger' | 'config' | 'secrets'>,
  actor: Actor,
  { organizationId: asked, url, types = [] }: WebhookWish,
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const id = randomUUIDv7()
  const { shown, ...sealed } = createWebhookSecrets(secrets, ledger).make(id)
  const wanted = requireWebhookUrl(url, config.privateWebhooks)
  // Without naming an organization, an admin hears of all of them.
  const isOfAll = actor.role === 'admin' && asked === undefined
  const organizationId = isOfAll ? null : await chooseOrganization(ledger, actor, 'webhooks', asked)
  const made = { id, organizationId, ownerId: accountOf(actor), url: wanted, types, ...sealed }
  const webhook = await createWebhook(ledger.db, made, WEBHOOKS_MAX)
  if (webhook === null) throw new SeatwiseError('TOO_MANY_WEBHOOKS')
  return { webhook, secret: shown }
}
