import { randomBytes } from 'node:crypto'
import { type Ledger, sealWebhookAgain, type Webhook } from '@seatwise/ledger'
import { type DerivedKey, deriveKeys, seal, unseal } from '../../identity/index.ts'

const SECRET_BYTES = 32

export interface SealedSecret {
  readonly sealedSecret: string
  readonly sealedWith: string
}

/** Secrets of webhooks as the ledger stores them: sealed, so that read access to the ledger does not reveal them. */
export interface WebhookSecrets {
  /** `shown` is displayed to the owner once. */
  make(webhookId: string): SealedSecret & { readonly shown: string }
  open(webhook: Webhook): Promise<Buffer>
}

export function createWebhookSecrets(secrets: readonly Buffer[], ledger: Ledger): WebhookSecrets {
  const keys = deriveKeys(secrets, 'webhook-secret')
  const [current] = keys
  return {
    make(webhookId) {
      const secret = randomBytes(SECRET_BYTES)
      return { ...sealFor(current, webhookId, secret), shown: `whsec_${secret.toString('base64')}` }
    },
    async open(webhook) {
      const key = keys.find(({ id }) => id === webhook.sealedWith)
      if (key === undefined)
        throw new Error('The secret of this webhook was sealed with a SEATWISE_SECRET that is gone')
      const secret = unseal(key, webhook.id, webhook.sealedSecret)
      // So that an older secret can be removed from the settings later.
      if (key !== current) await sealWebhookAgain(ledger.db, webhook, sealFor(current, webhook.id, secret))
      return secret
    },
  }
}

function sealFor(key: DerivedKey, webhookId: string, secret: Buffer): SealedSecret {
  return { sealedSecret: seal(key, webhookId, secret), sealedWith: key.id }
}
