/** The resources that one client may use. A client that is slower or larger is answered 4xx and disconnected. */
export interface HttpLimits {
  readonly bodyBytes: number
  readonly headerBytes: number
  /** Maximum nesting of JSON: enough for any body of ours, too little to overflow a stack. */
  readonly jsonDepth: number
  /**
   * Maximum number of objects, lists and fields in a body together: enough for an event of 5,000 rows, each with its
   * place on the plan. Every new object shape costs the parser time, be it one object of many fields or many of one.
   */
  readonly jsonParts: number
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number
  /** From the first byte of a request to the end of its body. */
  readonly requestMs: number
  /** How often the two limits above are checked. */
  readonly checkMs: number
  /** How long a connection may idle before its next request: longer than the 60 s of common load balancers. */
  readonly keepAliveMs: number
  /** How long a connection may stall in the middle of a request or an answer, such as a client that never reads. */
  readonly silenceMs: number
  /** How long a refused body is still read, so that the client can see the refusal. */
  readonly lingerMs: number
  /**
   * Connections that wait to be accepted; the kernel allows at most its `net.core.somaxconn`. Beyond it an attempt to
   * connect is dropped, and the client repeats it only after 1, 3 and 7 s: with Node's 511 a rush waits for nothing else.
   */
  readonly backlog: number
  /** A client that would wait longer than this for the event loop is asked to retry instead. */
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
  backlog: 65_535,
  lagMs: 200,
})

/** The `bodyLimit` of the route to which an organiser sends a whole event. */
export const EVENT_BODY_BYTES = 1024 * 1024

/** Of the route that takes the picture of an event. */
export const IMAGE_BODY_BYTES = 5 * 1024 * 1024
