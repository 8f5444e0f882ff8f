/** The process that has a data folder open, by its own account. */
export interface Holder {
  readonly pid: number
  readonly since: string
}

/** Another process has this data folder open. Two at once would silently destroy what is in it. */
export class LedgerLocked extends Error {
  override readonly name = 'LedgerLocked'
  readonly folder: string
  /** Undefined when it has not said so yet. */
  readonly holder: Holder | undefined

  constructor(folder: string, holder: Holder | undefined, options?: ErrorOptions) {
    const who = holder === undefined ? 'another process' : `process ${holder.pid} since ${holder.since}`
    super(
      `The data folder ${folder} is in use by ${who}. Stop that process, or set SEATWISE_DATA_DIR to another folder.`,
      options,
    )
    this.folder = folder
    this.holder = holder
  }
}

/** The ledger answers, and cannot be used as it is; the message says what to do. */
export class LedgerUnsuitable extends Error {
  override readonly name = 'LedgerUnsuitable'
}

/** The ledger does not answer. */
export class LedgerUnreachable extends Error {
  override readonly name = 'LedgerUnreachable'
}

/** What the operating system says of a connection that broke or could not be made. */
const SOCKET_ERRORS = new Set(
  'ECONNABORTED ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT'.split(' '),
)
/** What the client says of it; it has no codes for these. */
const CLIENT_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|PostgreSQL was silent)/
/**
 * SQLSTATEs that say nothing about the statement, only about the moment: lost connections (08), no resources (53: disk,
 * memory, connections), an operator or a time limit in between (57), a standby instead of a primary (25006), a conflict with
 * a serialization conflict (40), a lock that was not had in time (55P03).
 */
const PASSING_STATES = /^(08|53|57|40)|^25006$|^55P03$/

/**
 * Whether the ledger could not do it now but may be able to in a moment. It is not known then whether it was done; a client
 * that asked under a key may ask again.
 */
export function isLedgerAway(error: unknown): boolean {
  // Bounded, because a chain of causes may be a circle.
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth += 1, current = current.cause) {
    if (current instanceof LedgerUnreachable || CLIENT_MESSAGES.test(current.message)) return true
    const code = 'code' in current ? String(current.code) : ''
    if (SOCKET_ERRORS.has(code) || (code.length === 5 && PASSING_STATES.test(code))) return true
  }
  return false
}
