import { createHmac } from 'node:crypto'

/** The headers of Standard Webhooks: the receiver can verify that a call is ours, recent, and not a duplicate. */
export function signCall(
  secret: Buffer,
  { id, atMs, body }: { readonly id: string; readonly atMs: number; readonly body: string },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(atMs / 1_000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
