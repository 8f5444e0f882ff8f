/** What one client may take of the server. A client that is slower or larger is answered 4xx and cut off. */
export interface HttpLimits {
  readonly bodyBytes: number
  readonly headerBytes: number
  /** How deep JSON may be nested: enough for any body of ours, too little to overflow a stack. */
  readonly jsonDepth: number
  /**
   * How many objects, lists and fields a body may have together: enough for an event of 5,000 rows, each with its place on
   * the plan. Every object of a shape that was never seen costs the parser, be it one of many fields or many of one.
   */
  readonly jsonParts: number
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number
  /** How often the two limits above are checked. */
  readonly checkMs: number
  /** How long a connection may wait for its next request: longer than the 60 s of common load balancers. */
  readonly keepAliveMs: number
  /** How long a connection may stand still in the middle of something, such as a client that never reads. */
  readonly silenceMs: number
  /** How long a body that was refused is still read, so that the client can see the refusal. */
  readonly lingerMs: number
  /** Whoever would wait longer than this for the event loop is better served by being asked to come back. */
  readonly lagMs: number
}

export const HTTP_LIMITS: HttpLimits = Object.freeze({
  bodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  jsonDepth: 32,
  jsonParts: 35_000,
  headersMs: 10_000,
  requestMs: 20_000,
  checkMs: 1_000,
  keepAliveMs: 65_000,
  silenceMs: 75_000,
  lingerMs: 2_000,
  lagMs: 200,
})

/** Where an organiser sends a whole event: `bodyLimit` of that route. */
export const EVENT_BODY_BYTES = 1024 * 1024
