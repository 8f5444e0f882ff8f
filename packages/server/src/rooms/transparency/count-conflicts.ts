import { Counter, type Registry } from 'prom-client'

/** One is one too many: a head that was signed here is not of the log as it is now. */
export function countConflicts(registry: Registry): Counter {
  return new Counter({
    name: 'seatwise_log_conflicts_total',
    help: 'Reports of signed heads that are not of the log as the ledger has it.',
    registers: [registry],
  })
}
