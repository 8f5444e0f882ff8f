// The words of the log belong to the domain, because the ledger and the tools read them, too.
export type {
  Admitted,
  Away,
  Back,
  Change,
  Changed,
  Claimed,
  Completed,
  Expired,
  Extended,
  Joined,
  LogEntry,
  Moved,
  Opened,
  OpeningRules,
  Reserved,
  Restored,
} from '@seatwise/domain'
