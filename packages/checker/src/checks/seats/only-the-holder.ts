import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord, LedgerRecord, LogRecord } from '../../records/records.ts'
import { LostTails } from '../../replay/lost-tails.ts'

type Hold = Extract<LedgerRecord, { kind: 'hold' }>

/** How far the ledger's copy of a log may be behind the ledger itself, plus the difference of their clocks. */
const BEHIND_MS = 5_000

/**
 * I5. Only its holder decides about a hold: it is paid by the same buyer, and claimed under a fence that the log gave to that
 * ticket (or may have given in a lost tail), never an older one than another hold of the ticket was claimed with.
 */
export const onlyTheHolder: Check = {
  id: 'I5',
  name: 'holds are changed only by their holder, under the newest fence',
  start(): CheckRun {
    const findings = new Findings(
      'comparisons',
      'holds',
      'sales by the holder',
      'fences compared',
      'fences of a tail that was lost',
    )
    const holds = new Map<string, Hold>()
    const newest = new Map<string, Hold>()
    const rooms = new Map<string, GivenFences>()

    const claim = (record: Hold): void => {
      findings.count('holds')
      holds.set(record.hold, record)
      if (record.room === undefined || record.ticket === undefined || record.fence === undefined) return
      const key = `${record.room}/${record.ticket}`
      const before = newest.get(key)
      if (before !== undefined) findings.count('comparisons')
      if ((before?.fence ?? 0) > record.fence) {
        findings.violate(`Hold ${record.hold} was claimed with an older fence`, ...(before ? [before] : []), record)
      } else newest.set(key, record)
    }
    const sell = (record: Extract<LedgerRecord, { kind: 'sell' }>): void => {
      const begun = holds.get(record.hold)
      const payer = record.by ?? record.buyer
      if (begun === undefined) return
      findings.count('comparisons')
      if (begun.buyer !== payer) findings.violate(`Hold ${record.hold} was paid by ${payer}`, begun, record)
      else findings.count('sales by the holder')
    }
    return {
      see(record: HistoryRecord) {
        if (record.record === 'log') follow(getOrMake(rooms, record.room, newRoom), record)
        else if (record.record !== 'ledger') return
        else if (record.kind === 'hold') claim(record)
        else if (record.kind === 'sell') sell(record)
      },
      finish() {
        for (const hold of holds.values()) judgeFence(findings, rooms, hold)
        return findings.verdict('comparisons')
      },
    }
  },
}

interface GivenFences {
  readonly fences: Map<number, number>
  readonly lostTails: LostTails
  lastMs: number
}

const newRoom = (): GivenFences => ({ fences: new Map(), lostTails: new LostTails(), lastMs: 0 })

/** A fence is given once in a room, so it identifies its ticket. */
function follow(room: GivenFences, record: LogRecord): void {
  room.lastMs = Math.max(room.lastMs, record.atMs)
  room.lostTails.follow(record)
  if ((record.kind === 'admit' || record.kind === 'handover') && record.fence !== undefined) {
    room.fences.set(record.fence, record.ticket)
  }
}

function judgeFence(findings: Findings, rooms: ReadonlyMap<string, GivenFences>, hold: Hold): void {
  const room = rooms.get(hold.room ?? '')
  if (room === undefined || hold.fence === undefined || hold.atMs + BEHIND_MS > room.lastMs) return
  findings.count('comparisons')
  findings.count('fences compared')
  const owner = room.fences.get(hold.fence)
  if (owner === hold.ticket) return
  if (owner === undefined && room.lostTails.mayHold(hold.fence)) {
    findings.count('fences of a tail that was lost')
    return
  }
  const origin = owner === undefined ? 'was never given' : `belongs to ticket ${owner}`
  findings.violate(`Hold ${hold.hold} was claimed by ticket ${hold.ticket} with a fence that ${origin}`, hold)
}
