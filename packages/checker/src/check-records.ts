import type { Check, Verdict } from './check.ts'
import { adoptedWhole } from './checks/adopted-whole.ts'
import { capturesEndOnce } from './checks/captures-end-once.ts'
import { firstComeFirstServed } from './checks/first-come-first-served.ts'
import { floorCanReserve } from './checks/floor-can-reserve.ts'
import { floorWithinCapacity } from './checks/floor-within-capacity.ts'
import { hashesChain } from './checks/hashes-chain.ts'
import { holdsKeepTheirTime } from './checks/holds-keep-their-time.ts'
import { logWithoutGaps } from './checks/log-without-gaps.ts'
import { newsReachesEverybody } from './checks/news-reaches-everybody.ts'
import { noPurchaseWithoutCapture } from './checks/no-purchase-without-capture.ts'
import { noSeatSoldTwice } from './checks/no-seat-sold-twice.ts'
import { oneEffectPerOperation } from './checks/one-effect-per-operation.ts'
import { oneEndPerHold } from './checks/one-end-per-hold.ts'
import { oneHoldPerSeat } from './checks/one-hold-per-seat.ts'
import { onePassPerTicket } from './checks/one-pass-per-ticket.ts'
import { onlyTheHolder } from './checks/only-the-holder.ts'
import { positionsNeverRise } from './checks/positions-never-rise.ts'
import { positionsTrue } from './checks/positions-true.ts'
import { progress } from './checks/progress.ts'
import { protectedCallsAdmitted } from './checks/protected-calls-admitted.ts'
import { rateKept } from './checks/rate-kept.ts'
import { realTimeOrder } from './checks/real-time-order.ts'
import { rebuildsKeepTheLine } from './checks/rebuilds-keep-the-line.ts'
import { seatsAddUp } from './checks/seats-add-up.ts'
import { seatsWithinLimit } from './checks/seats-within-limit.ts'
import { secretsStayApart } from './checks/secrets-stay-apart.ts'
import { soldAfterAHold } from './checks/sold-after-a-hold.ts'
import { soldAtMostTotal } from './checks/sold-at-most-total.ts'
import { soldOutWhenTrue } from './checks/sold-out-when-true.ts'
import { unknownsResolved } from './checks/unknowns-resolved.ts'
import { visitsEndInTime } from './checks/visits-end-in-time.ts'
import { withinBounds } from './checks/within-bounds.ts'
import type { HistoryRecord } from './records.ts'

/** Every check there is, in the order of the invariants. */
export const CHECKS: readonly Check[] = [
  noSeatSoldTwice,
  soldAtMostTotal,
  seatsAddUp,
  oneHoldPerSeat,
  onlyTheHolder,
  oneEndPerHold,
  holdsKeepTheirTime,
  soldAfterAHold,
  capturesEndOnce,
  noPurchaseWithoutCapture,
  oneEffectPerOperation,
  unknownsResolved,
  floorWithinCapacity,
  rateKept,
  firstComeFirstServed,
  positionsNeverRise,
  positionsTrue,
  progress,
  onePassPerTicket,
  protectedCallsAdmitted,
  logWithoutGaps,
  hashesChain,
  realTimeOrder,
  newsReachesEverybody,
  secretsStayApart,
  soldOutWhenTrue,
  withinBounds,
  floorCanReserve,
  rebuildsKeepTheLine,
  seatsWithinLimit,
  visitsEndInTime,
  adoptedWhole,
]

/** What is missing where only the clients could tell. */
export const CLIENTS = 'client records'

export interface CheckedInvariant {
  id: string
  name: string
  verdict: Verdict
}

export interface Report {
  recordCount: number
  /** How many faults of each kind were made while the history was written. */
  faults: Readonly<Record<string, number>>
  invariants: readonly CheckedInvariant[]
}

/** Runs the checks over a history in one pass, without keeping it. */
export async function checkRecords(
  records: Iterable<HistoryRecord> | AsyncIterable<HistoryRecord>,
  checks: readonly Check[] = CHECKS,
): Promise<Report> {
  const runs = checks.map((check) => ({ check, run: check.start() }))
  const faults: Record<string, number> = {}
  let recordCount = 0
  let isWithClients = false
  for await (const record of records) {
    recordCount += 1
    if (record.record === 'client') isWithClients = true
    if (record.record === 'fault' && record.phase !== 'end') faults[record.fault] = (faults[record.fault] ?? 0) + 1
    for (const { run } of runs) run.see(record)
  }
  return {
    recordCount,
    faults,
    invariants: runs.map(({ check, run }) => {
      const verdict = run.finish()
      const isOutOfSight = check.needsClients === true && !isWithClients && verdict.status === 'vacuous'
      return { id: check.id, name: check.name, verdict: isOutOfSight ? { ...verdict, missing: CLIENTS } : verdict }
    }),
  }
}
