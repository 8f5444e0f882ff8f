import type { Change, LogEntry } from './log-entry.ts'

/** A log entry as the public audit shows it: the ticket number, and nothing that identifies the visitor. */
export interface PublicEntry {
  epoch: number
  seq: number
  at: number
  kind: Change['kind']
  [detail: string]: unknown
}

/**
 * Keys always in the same order, so that every reader hashes the same JSON. Signed heads cover this text: of an entry that is
 * stored, it never changes. A new field is only added where the stored entry has it. Rule N4.
 */
export function publicEntry(entry: LogEntry): PublicEntry {
  return { epoch: entry.epoch, seq: entry.seq, at: entry.at, kind: entry.change.kind, ...publicDetails(entry.change) }
}

function publicDetails(change: Change): Record<string, unknown> {
  switch (change.kind) {
    case 'opened':
      return {
        ...{ reason: change.reason, nextNumber: change.nextNumber, waiting: change.waiting, floor: change.floor },
        rules: sortedByKey({ ...change.rules }),
      }
    case 'joined':
      return {
        ...{ number: change.number, class: change.class, place: change.place, rank: change.rank },
        ...(change.code === null ? {} : { code: change.code }),
      }
    case 'restored':
      return { ...ticket(change), class: change.class, place: change.place, rank: change.rank, from: change.fromEpoch }
    case 'admitted':
      return {
        ...{ ...ticket(change), class: change.class, fence: change.fence, deadline: change.deadline },
        ...(change.by === undefined ? {} : { by: change.by }),
      }
    case 'entered':
    case 'extended':
      return { ...ticket(change), deadline: change.deadline }
    case 'reserved':
      return { numbers: change.numbers, deadline: change.deadline, quantity: change.quantity }
    case 'corrected': {
      const { from, state, fence, deadline, sessionEnd, quantity } = change
      return { ...ticket(change), from, state, fence, deadline, sessionEnd, quantity }
    }
    case 'expired':
      return { numbers: change.numbers, reason: change.reason, ranks: change.ranks }
    case 'away':
    case 'back':
      return { numbers: change.numbers, ranks: change.ranks }
    case 'attended':
      return { unattendedSince: change.unattendedSince }
    case 'moved':
      return { ...ticket(change), generation: change.generation, fence: change.fence }
    case 'completed':
    // The owners before and after are not public.
    case 'adopted':
      return ticket(change)
    case 'classed': {
      const { class: ticketClass, code, place, rank, fromRank } = change
      return { ...ticket(change), class: ticketClass, code, place, rank, fromRank }
    }
    case 'grouped': {
      const { members, merged, fromRank, left } = change
      return { ...ticket(change), members, merged, fromRank, left }
    }
    case 'codes':
    case 'prices':
    case 'draw':
    case 'sealed':
    case 'revealed': {
      const { kind: _, ...what } = change
      return sortedByKey({ ...what })
    }
    case 'changed': {
      // The operator's name is only in the operators' trail.
      const { kind: _, by: __, ...what } = change
      return sortedByKey(what)
    }
  }
}

function ticket(change: { number: number }): { number: number } {
  return { number: change.number }
}

/** Sorted, because settings pass through stores that do not keep the order of keys. */
function sortedByKey(object: Record<string, unknown>): Record<string, unknown> {
  const sorted = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, value]) => [key, isObject(value) ? sortedByKey(value) : value]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
