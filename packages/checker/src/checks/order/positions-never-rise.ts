import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord } from '../../records/records.ts'
import { isShownPosition, type JudgedPosition, mapError, ShownPositions } from '../../replay/shown-positions.ts'

/** I16. A position shown never rises, except by the number of priority joins and returns before it in between. */
export const positionsNeverRise: Check = {
  id: 'I16',
  name: 'a position shown never rises, except by priority joins and returns',
  needsClients: true,
  start(): CheckRun {
    const findings = new Findings('positions shown again', 'rises that the log explains')
    const rooms = new Map<string, ShownPositions>()
    const room = (name: string) => getOrMake(rooms, name, () => new ShownPositions())
    return {
      see(record: HistoryRecord) {
        if (record.record === 'log') room(record.room).seeLog(record)
        else if (record.record === 'client' && isShownPosition(record)) room(record.room).seeShown(record)
      },
      finish() {
        for (const positions of rooms.values()) {
          const last = new Map<number, JudgedPosition>()
          for (const position of positions.judge().judged) {
            const earlier = last.get(position.record.ticket)
            if (earlier !== undefined) compare(findings, earlier, position)
            last.set(position.record.ticket, position)
          }
        }
        return findings.verdict('positions shown again')
      },
    }
  },
}

function compare(findings: Findings, earlier: JudgedPosition, later: JudgedPosition): void {
  findings.count('positions shown again')
  const rise = later.record.rank - earlier.record.rank
  if (rise <= 0) return
  const explained = later.putBefore - earlier.putBefore
  if (rise <= explained + tolerance(earlier) + tolerance(later)) {
    findings.count('rises that the log explains')
    return
  }
  findings.violate(
    `Ticket ${later.record.ticket} was told ${earlier.record.rank}, then ${later.record.rank}, and ${explained} were put before it in between`,
    earlier.record,
    later.record,
  )
}

function tolerance({ record }: JudgedPosition): number {
  return record.exact === false ? mapError(record.rank) : 0
}
