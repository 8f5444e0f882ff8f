/** Who has a data folder open, as they said themselves. */
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
