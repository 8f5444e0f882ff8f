import { type CallOptions, callPinned } from './call-pinned.ts'

export interface WebhookCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Calls a webhook. Any answer but 2xx throws, a redirect too: its target has not been checked. */
export async function callWebhook(call: WebhookCall, options: CallOptions): Promise<void> {
  const { status } = await callPinned({ method: 'POST', ...call }, options)
  if (status >= 200 && status < 300) return
  const isRedirect = status >= 300 && status < 400
  const { host } = new URL(call.url)
  throw new Error(`${host} answered ${status}${isRedirect ? '; redirects are not followed' : ''}`)
}
