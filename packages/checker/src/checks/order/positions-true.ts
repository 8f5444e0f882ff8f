import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord } from '../../records/records.ts'
import {
  isShownPosition,
  type JudgedPosition,
  mapError,
  ShownPositions,
  type ShownRecord,
} from '../../replay/shown-positions.ts'

/** The oldest log entry that a position may refer to. */
const AGE_MS_MAX = 2_000

/** I17. A position shown is the replayed rank at that entry; one from the rank map is within the map's stated error. */
export const positionsTrue: Check = {
  id: 'I17',
  name: 'a position shown is the replayed rank at that seq',
  needsClients: true,
  start(): CheckRun {
    const findings = new Findings('positions', 'positions from the map', 'positions past the log', 'largest map error')
    const rooms = new Map<string, { positions: ShownPositions; shown: ShownRecord[]; invoked: Map<string, number> }>()
    const room = (name: string) =>
      getOrMake(rooms, name, () => ({ positions: new ShownPositions(), shown: [], invoked: new Map() }))
    return {
      see(record: HistoryRecord) {
        if (record.record === 'log') room(record.room).positions.seeLog(record)
        if (record.record !== 'client' || record.room === undefined) return
        const { positions, shown, invoked } = room(record.room)
        if (record.phase === 'invoke') invoked.set(record.call, record.monotonicMs)
        if (!isShownPosition(record)) return
        positions.seeShown(record)
        shown.push(record)
      },
      finish() {
        for (const { positions, shown, invoked } of rooms.values()) {
          const { judged, unjudged } = positions.judge()
          findings.count('positions past the log', unjudged)
          for (const each of judged) compare(findings, each)
          judgeAges(findings, shown, invoked)
        }
        return findings.verdict('positions')
      },
    }
  },
}

function compare(findings: Findings, { record, rank }: JudgedPosition): void {
  findings.count(record.exact === false ? 'positions from the map' : 'positions')
  if (rank === null) {
    findings.violate(`Ticket ${record.ticket} did not wait at ${record.epoch}-${record.seq}`, record)
    return
  }
  const error = Math.abs(record.rank - rank)
  if (record.exact === false) findings.atLeast('largest map error', error)
  if (error > (record.exact === false ? mapError(rank) : 0)) {
    findings.violate(
      `Ticket ${record.ticket} was told ${record.rank}, and ${rank} stood before it at ${record.epoch}-${record.seq}`,
      record,
    )
  }
}

/** A question asked long after a client was told of an entry must not be answered as of an earlier one. */
function judgeAges(findings: Findings, shown: readonly ShownRecord[], invoked: ReadonlyMap<string, number>): void {
  const answered = shown.toSorted((a, b) => a.monotonicMs - b.monotonicMs)
  const asked = shown
    .map((record) => ({ record, atMs: record.invokedMs ?? invoked.get(record.call) ?? record.monotonicMs }))
    .sort((a, b) => a.atMs - b.atMs)
  let next = 0
  let newest: ShownRecord | undefined
  for (const { record, atMs } of asked) {
    for (
      let told = answered[next];
      told !== undefined && told.monotonicMs + AGE_MS_MAX < atMs;
      told = answered[++next]
    ) {
      if (newest === undefined || isNewer(told, newest)) newest = told
    }
    if (newest !== undefined && isNewer(newest, record)) {
      findings.violate(
        `Ticket ${record.ticket} was answered as of ${record.epoch}-${record.seq}, more than ${AGE_MS_MAX} ms after ${newest.epoch}-${newest.seq} was known`,
        newest,
        record,
      )
    }
  }
}

function isNewer(a: ShownRecord, b: ShownRecord): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.seq > b.seq)
}
