import { type Ledger, listConnectorsSealedWith, listWebhooksSealedWith } from '@seatwise/ledger'
import { createWebhookSecrets } from '../delivery/index.ts'
import { deriveKeys } from '../identity/index.ts'
import { createConnectorSecrets } from '../rooms/index.ts'

/** So many at a time; a deployment has fewer. */
const BATCH_MAX = 500

/**
 * Moves what organisers share with their sites and receivers from older secrets under the first one, when a server
 * starts: a webhook that is not called for weeks must not be lost with the secret that is taken out. Signing keys are
 * moved where they are read.
 */
export async function sealSharedSecretsAgain(ledger: Ledger, secrets: readonly Buffer[]): Promise<void> {
  const webhooks = createWebhookSecrets(secrets, ledger)
  await openEach(
    () => listWebhooksSealedWith(ledger.db, olderIds(secrets, 'webhook-secret'), BATCH_MAX),
    (webhook) => webhooks.open(webhook),
  )
  const connectors = createConnectorSecrets(secrets, ledger)
  await openEach(
    () => listConnectorsSealedWith(ledger.db, olderIds(secrets, 'connector-secret'), BATCH_MAX),
    (connector) => connectors.open(connector),
  )
}

function olderIds(secrets: readonly Buffer[], purpose: Parameters<typeof deriveKeys>[1]): string[] {
  const [, ...older] = deriveKeys(secrets, purpose)
  return older.map(({ id }) => id)
}

/** Opening one seals it again, so that each list is shorter, until there is none. */
async function openEach<Sealed>(list: () => Promise<Sealed[]>, open: (sealed: Sealed) => Promise<unknown>) {
  for (let sealed = await list(); sealed.length > 0; sealed = await list()) {
    for (const one of sealed) await open(one)
  }
}
