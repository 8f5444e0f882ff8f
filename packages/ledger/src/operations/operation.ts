/** The key under which an account or guest asked for something, and what it was: another fingerprint is refused. */
export interface OperationKey {
  readonly actorId: string
  readonly key: string
  readonly fingerprint: string
}

/** The answer that is given whenever the same key comes again. */
export interface StoredAnswer {
  readonly statusCode: number
  readonly body: Record<string, unknown>
}
