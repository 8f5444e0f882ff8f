import type { LogEntry } from '../../src/index.ts'

/** What happened, in the words that the test of a complete set of histories looks for. */
export function eventOf(change: LogEntry['change']): string {
  if (change.kind === 'admitted' && change.by !== undefined) return 'admitted by an operator'
  return change.kind === 'expired' ? change.reason : change.kind
}
