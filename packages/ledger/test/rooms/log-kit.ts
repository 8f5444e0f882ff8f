import { randomUUID } from 'node:crypto'
import { type Change, type LogEntry, ROOM_DEFAULTS } from '@seatwise/domain'
import { beginEpoch, HOUSE_ID, type Ledger } from '@seatwise/ledger'

const RULES = {
  settings: { ...ROOM_DEFAULTS },
  ...{ paused: false, soldOut: false, opensAt: 0, closesAt: 9_000_000_000_000, stock: null },
}

/** A room in its first epoch. */
export async function newRoom(ledger: Ledger): Promise<{ ledger: Ledger; room: string }> {
  const room = randomUUID()
  await ledger.db
    .insertInto('rooms')
    .values({
      id: room,
      name: 'Shop',
      target: 'https://shop.example',
      organization_id: HOUSE_ID,
      settings: JSON.stringify(ROOM_DEFAULTS),
    })
    .execute()
  await beginEpoch(ledger.db, { room, lostEpoch: 0, reason: 'first', unseenMax: 0 })
  return { ledger, room }
}

/** Entries from one place of its log on. */
export function log(from: number, changes: readonly Change[]): LogEntry[] {
  const opened: Change = { kind: 'opened', reason: 'test', nextNumber: 1, waiting: 0, floor: 0, rules: RULES }
  const all = from === 1 ? [opened, ...changes] : changes
  return all.map((change, index) => ({
    epoch: 1,
    seq: from + index,
    at: 1_000 + from + index,
    operation: 'op',
    change,
  }))
}

/** A visitor without any privilege. */
export function joined(number: number): Extract<Change, { kind: 'joined' }> {
  return {
    kind: 'joined',
    number,
    identity: `identity-${String(number).padStart(7, '0')}`,
    class: 0,
    place: number,
    rank: number - 1,
    code: null,
    limitKey: null,
    shown: null,
    profile: JSON.stringify({ userId: null, name: 'Ada Lovelace', address: '192.0.2.1', metadata: { from: 'mail' } }),
  }
}
