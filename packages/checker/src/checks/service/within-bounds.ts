import { type Check, type CheckRun, Findings } from '../../check.ts'
import type { HistoryRecord } from '../../records/records.ts'

/** I26. Queues, buffers, maps and in-flight work stay under their bounds. */
export const withinBounds: Check = {
  id: 'I26',
  name: 'queues, buffers and maps stay under their bounds',
  start(): CheckRun {
    const findings = new Findings('looks', 'things above half of their bound')
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'gauge') return
        findings.count('looks')
        if (record.value > record.bound) {
          findings.violate(`${record.gauge} of ${record.source} was ${record.value}, its bound ${record.bound}`, record)
        } else if (2 * record.value > record.bound) findings.count('things above half of their bound')
      },
      finish: () => findings.verdict('looks'),
    }
  },
}
