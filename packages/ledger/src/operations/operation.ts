/** The idempotency key of an account or guest, and the fingerprint of the request: another fingerprint is refused. */
export interface OperationKey {
  readonly actorId: string
  readonly key: string
  readonly fingerprint: string
}

/** The answer to every retry under the same key. */
export interface StoredAnswer {
  readonly statusCode: number
  readonly body: Record<string, unknown>
}
