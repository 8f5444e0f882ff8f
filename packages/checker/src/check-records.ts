import type { Check, Verdict } from './check.ts'
import { adoptedWhole } from './checks/log/adopted-whole.ts'
import { hashesChain } from './checks/log/hashes-chain.ts'
import { logWithoutGaps } from './checks/log/log-without-gaps.ts'
import { oneEffectPerOperation } from './checks/log/one-effect-per-operation.ts'
import { capturesEndOnce } from './checks/money/captures-end-once.ts'
import { noPurchaseWithoutCapture } from './checks/money/no-purchase-without-capture.ts'
import { pricesLocked } from './checks/money/prices-locked.ts'
import { absenteesLeaveTheCount } from './checks/order/absentees-leave-the-count.ts'
import { firstComeFirstServed } from './checks/order/first-come-first-served.ts'
import { positionsNeverRise } from './checks/order/positions-never-rise.ts'
import { positionsTrue } from './checks/order/positions-true.ts'
import { realTimeOrder } from './checks/order/real-time-order.ts'
import { rebuildsKeepTheLine } from './checks/order/rebuilds-keep-the-line.ts'
import { holdsKeepTheirTime } from './checks/seats/holds-keep-their-time.ts'
import { noSeatSoldTwice } from './checks/seats/no-seat-sold-twice.ts'
import { oneEndPerHold } from './checks/seats/one-end-per-hold.ts'
import { oneHoldPerSeat } from './checks/seats/one-hold-per-seat.ts'
import { onlyTheHolder } from './checks/seats/only-the-holder.ts'
import { seatsAddUp } from './checks/seats/seats-add-up.ts'
import { seatsWithinLimit } from './checks/seats/seats-within-limit.ts'
import { soldAfterAHold } from './checks/seats/sold-after-a-hold.ts'
import { soldAtMostTotal } from './checks/seats/sold-at-most-total.ts'
import { soldOutWhenTrue } from './checks/seats/sold-out-when-true.ts'
import { newsReachesItsReceivers } from './checks/service/news-reaches-its-receivers.ts'
import { progress } from './checks/service/progress.ts'
import { secretsStayApart } from './checks/service/secrets-stay-apart.ts'
import { unknownsResolved } from './checks/service/unknowns-resolved.ts'
import { withinBounds } from './checks/service/within-bounds.ts'
import { floorCanReserve } from './checks/visits/floor-can-reserve.ts'
import { floorWithinCapacity } from './checks/visits/floor-within-capacity.ts'
import { onePassPerTicket } from './checks/visits/one-pass-per-ticket.ts'
import { protectedCallsAdmitted } from './checks/visits/protected-calls-admitted.ts'
import { rateKept } from './checks/visits/rate-kept.ts'
import { visitsEndInTime } from './checks/visits/visits-end-in-time.ts'
import type { HistoryRecord } from './records/records.ts'

/** All checks, in the order of the invariants. */
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
  newsReachesItsReceivers,
  secretsStayApart,
  soldOutWhenTrue,
  withinBounds,
  floorCanReserve,
  rebuildsKeepTheLine,
  seatsWithinLimit,
  visitsEndInTime,
  adoptedWhole,
  absenteesLeaveTheCount,
  pricesLocked,
]

/** Named as missing by checks that need client records. */
export const CLIENTS = 'client records'

export interface CheckedInvariant {
  id: string
  name: string
  verdict: Verdict
}

export interface Report {
  recordCount: number
  /** How many faults of each kind were injected while the history was written. */
  faults: Readonly<Record<string, number>>
  invariants: readonly CheckedInvariant[]
}

/** Runs the checks over a history in one pass, without keeping it in memory. */
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
