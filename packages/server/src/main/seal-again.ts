import { draws, type Ledger, listConnectorsSealedWith, listWebhooksSealedWith } from '@seatwise/ledger'
import { createWebhookSecrets } from '../delivery/index.ts'
import { deriveKeys } from '../identity/index.ts'
import { createConnectorSecrets, createDrawKit } from '../rooms/index.ts'

/** The batch size; most deployments have fewer. */
const BATCH_MAX = 500

/**
 * When a server starts, reseals the secrets that organisers share with their sites and receivers under the first master
 * secret, and the secrets of draws: a webhook that is not called for weeks must not be lost when an older secret is removed, nor a draw
 * that was announced months ahead. Signing keys are
 * resealed where they are read.
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
  const drawKit = createDrawKit(secrets, ledger)
  await openEach(
    () => draws.listDrawsSealedWith(ledger.db, olderIds(secrets, 'draw-secret'), BATCH_MAX),
    (draw) => drawKit.sealAgain(draw),
  )
}

function olderIds(secrets: readonly Buffer[], purpose: Parameters<typeof deriveKeys>[1]): string[] {
  const [, ...older] = deriveKeys(secrets, purpose)
  return older.map(({ id }) => id)
}

/** Opening a secret reseals it, so each list is shorter than the last, until it is empty. */
async function openEach<Sealed>(list: () => Promise<Sealed[]>, open: (sealed: Sealed) => Promise<unknown>) {
  for (let sealed = await list(); sealed.length > 0; sealed = await list()) {
    for (const one of sealed) await open(one)
  }
}
