/** A call that did not do what it should. `code` is the server's, or `UNREACHABLE` when no answer came. */
export class LineError extends Error {
  override readonly name = 'LineError'
  readonly code: string
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** What the server asked to wait before trying again; 0 when it did not. */
  readonly retryAfterMs: number
  /** The other fields of the answer, such as `available` with NOT_ENOUGH_LEFT. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfterMs = 0, cause?: unknown) {
    super(String(body.message ?? `The server answered ${status}`), { cause })
    this.code = String(body.code ?? 'INTERNAL')
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.details = body
  }
}

/** Whether the server may answer otherwise when asked again. An unknown outcome counts: every call is safe to repeat. */
export function isPassing({ status, code }: LineError): boolean {
  return status === 0 || status === 429 || status >= 500 || code === 'IN_PROGRESS'
}
