import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord, LedgerRecord } from '../../records/records.ts'

type Hold = Extract<LedgerRecord, { kind: 'hold' }>
type Adoption = Extract<LedgerRecord, { kind: 'adoption' }>

/** A reservation that has its seats. */
interface Kept {
  readonly begun: Hold
  owner: string
  seats: number
  isPaid: boolean
}

/** Beyond the limit after an adoption; allowed only if it was being paid for. */
interface Doubtful {
  readonly kept: Kept
  readonly adoption: Adoption
}

/**
 * I29. A buyer who reserves has no more seats of the event than the room allows, adopted ones included; sales at the door have
 * no such limit, and visitors who stand together as one ticket have it once for each. The operator may have lowered the limit
 * since, so the highest limit in the history applies.
 */
export const seatsWithinLimit: Check = {
  id: 'I29',
  name: 'an identity owns at most as many seats of an event as the room allows',
  start(): CheckRun {
    const findings = new Findings('reservations compared with the limit', 'adoptions', 'pending reservations adopted')
    const kept = new Map<string, Kept>()
    const ended = new Map<string, Kept>()
    const accountOf = new Map<string, string>()
    const reserved: { record: LedgerRecord; owner: string; seats: number }[] = []
    const doubtful: Doubtful[] = []
    /** What the account had after each adoption. */
    const over = new Map<Adoption, number>()
    const byOwner = new Map<string, Set<Kept>>()
    const paying = new Set<string>()
    const asked: Hold[] = []
    /** The most visitors who stood with a ticket, and with the tickets that a buyer reserved with. */
    const peopleOf = new Map<string, number>()
    const peopleBy = new Map<string, number>()
    let limit: number | null = null

    const owned = (owner: string, atMs: number): number =>
      [...(byOwner.get(owner) ?? [])].reduce(
        (sum, one) => sum + (one.isPaid || one.begun.expiresAtMs > atMs ? one.seats : 0),
        0,
      )
    const keep = (one: Kept, record: LedgerRecord): void => {
      kept.set(one.begun.hold, one)
      getOrMake(byOwner, one.owner, () => new Set<Kept>()).add(one)
      reserved.push({ record, owner: one.owner, seats: owned(one.owner, record.atMs) })
    }
    const end = (hold: string): void => {
      const one = kept.get(hold)
      if (one === undefined) return
      kept.delete(hold)
      byOwner.get(one.owner)?.delete(one)
      ended.set(hold, one)
    }
    const sell = (record: Extract<LedgerRecord, { kind: 'sell' }>): void => {
      const one = kept.get(record.hold)
      if (one !== undefined) one.isPaid = true
      const before = ended.get(record.hold)
      // A late payment took the seats again.
      if (one === undefined && before !== undefined) {
        keep({ ...before, isPaid: true, seats: record.seats.length }, record)
      }
    }
    /** Some seats of a sale, or all. */
    const giveBack = ({ hold, seats }: Extract<LedgerRecord, { kind: 'refund' }>): void => {
      const one = kept.get(hold)
      if (one === undefined || one.seats <= seats.length) end(hold)
      else one.seats -= seats.length
    }
    const adopt = (adoption: Adoption): void => {
      findings.count('adoptions')
      accountOf.set(adoption.guest, adoption.account)
      for (const one of byOwner.get(adoption.guest) ?? []) {
        one.owner = adoption.account
        getOrMake(byOwner, adoption.account, () => new Set<Kept>()).add(one)
        if (one.isPaid || one.begun.expiresAtMs <= adoption.atMs) continue
        findings.count('pending reservations adopted')
        doubtful.push({ kept: one, adoption })
      }
      byOwner.delete(adoption.guest)
      over.set(adoption, owned(adoption.account, adoption.atMs))
    }

    return {
      see(record: HistoryRecord) {
        if (record.record === 'log') {
          if (record.kind === 'group') note(peopleOf, `${record.room} ${record.ticket}`, record.people)
          const isSaid = record.kind === 'epoch' || record.kind === 'settings'
          if (isSaid && record.seatsPerBuyer !== undefined) limit = Math.max(limit ?? 0, record.seatsPerBuyer)
          return
        }
        if (record.record !== 'ledger') return
        switch (record.kind) {
          case 'hold': {
            // A seller at the door sells as many as are asked for.
            if (record.door === true) return
            asked.push(record)
            const owner = record.guest === undefined ? record.buyer : (accountOf.get(record.guest) ?? record.guest)
            keep({ begun: record, owner, seats: record.seats.length, isPaid: false }, record)
            return
          }
          case 'release':
          case 'expire':
            return end(record.hold)
          case 'refund':
            return giveBack(record)
          case 'sell':
            return sell(record)
          case 'adoption':
            return adopt(record)
          case 'payment':
            paying.add(record.hold)
            return
          default:
            return
        }
      },
      finish() {
        const allowed = limit
        if (allowed === null) return findings.verdict('reservations compared with the limit')
        for (const { buyer, room, ticket } of asked) note(peopleBy, buyer, peopleOf.get(`${room} ${ticket}`) ?? 1)
        for (const { record, owner, seats } of reserved) {
          findings.count('reservations compared with the limit')
          const most = allowed * (peopleBy.get(owner) ?? 1)
          if (seats > most) findings.violate(`${owner} has ${seats} seats, and may have ${most}`, record)
        }
        for (const { kept: one, adoption } of doubtful) {
          if ((over.get(adoption) ?? 0) <= allowed || paying.has(one.begun.hold)) continue
          findings.violate(`${one.begun.hold} was adopted beyond the limit of ${allowed}`, one.begun, adoption)
        }
        return findings.verdict('reservations compared with the limit')
      },
    }
  },
}

function note(most: Map<string, number>, name: string, count: number): void {
  most.set(name, Math.max(count, most.get(name) ?? 0))
}
