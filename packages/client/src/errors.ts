/** A call that did not do what it should. `code` is the server's, or `UNREACHABLE` when no answer came. */
export class LineError extends Error {
  declare readonly code: string
  /** HTTP status; 0 when no answer came. */
  declare readonly status: number
  /** What the server asked to wait before trying again; 0 when it did not. */
  declare readonly retryAfterMs: number
  /** All fields of the answer, such as `available` with NOT_ENOUGH_LEFT. */
  declare readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, details: Readonly<Record<string, unknown>>, retryAfterMs = 0, cause?: unknown) {
    super(String(details.message ?? details.code), { cause })
    Object.assign(this, { name: 'LineError', code: String(details.code), status, retryAfterMs, details })
  }
}

export function hasCode(error: unknown, code: string): error is LineError {
  return error instanceof LineError && error.code === code
}

/** Whether the server may answer otherwise when asked again. An unknown outcome counts: every call is safe to repeat. */
export function isPassing(error: unknown): error is LineError {
  return error instanceof LineError && (/^(0|429|5..)$/.test(String(error.status)) || hasCode(error, 'IN_PROGRESS'))
}
