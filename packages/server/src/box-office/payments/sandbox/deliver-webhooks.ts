import { concludeSandboxPayments, forgetSandboxWebhooks, type Ledger, takeSandboxWebhooks } from '@seatwise/ledger'
import { SANDBOX_SIGNATURE_HEADER, type SandboxSignature } from './sandbox-signature.ts'

const BATCH_MAX = 50

/** Sends a webhook, and says whether it was accepted. */
export type SendWebhook = (body: string, headers: Record<string, string>) => Promise<boolean>

/** The sandbox's own timer: decides slow payments that are due, then sends the webhooks that are due. */
export async function deliverSandboxWebhooks(
  { db }: Pick<Ledger, 'db'>,
  signature: SandboxSignature,
  send: SendWebhook,
): Promise<void> {
  await concludeSandboxPayments(db, BATCH_MAX)
  const heard: string[] = []
  for (const { id, ref, type } of await takeSandboxWebhooks(db, BATCH_MAX)) {
    const body = JSON.stringify({ id, type, ref })
    const headers = { 'content-type': 'application/json', [SANDBOX_SIGNATURE_HEADER]: signature.sign(body) }
    if (await send(body, headers)) heard.push(id)
  }
  await forgetSandboxWebhooks(db, heard)
}
