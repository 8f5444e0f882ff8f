import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord, LogRecord } from '../../records/records.ts'
import { RoomReplay } from '../../replay/room-replay.ts'
import { type PriceList, readPriceList, risen } from '../../transparency/price-list.ts'

/** I41. While a ticket waits, is away or is on the floor, no price, variant, fee or tax rate rises. */
export const pricesLocked: Check = {
  id: 'I41',
  name: 'no price rises while visitors wait or are inside',
  start(): CheckRun {
    const findings = new Findings('price lists', 'price lists while visitors waited or were inside')
    const rooms = new Map<string, PricedRoom>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'log') return
        const room = getOrMake(rooms, record.room, () => ({ replay: new RoomReplay(), live: 0, list: null }))
        if (!follow(room, record) || record.kind !== 'prices' || record.list === undefined) return
        judge(findings, room, record, readPriceList(record.listHash, record.list))
      },
      finish: () => findings.verdict('price lists'),
    }
  },
}

interface PricedRoom {
  readonly replay: RoomReplay
  /** Tickets that have not ended. */
  live: number
  list: PriceList | null
}

function follow(room: PricedRoom, record: LogRecord): boolean {
  const number = 'ticket' in record ? record.ticket : null
  const before = number === null ? 0 : isLive(room, number)
  if (!room.replay.apply(record)) return false
  if (number !== null) room.live += isLive(room, number) - before
  return true
}

function isLive({ replay }: PricedRoom, number: number): number {
  const state = replay.tickets.get(number)?.state
  return state === undefined || state === 'ended' ? 0 : 1
}

function judge(findings: Findings, room: PricedRoom, record: LogRecord, list: PriceList | null): void {
  findings.count('price lists')
  if (list === null) {
    findings.violate('A price list is not the one of its hash', record)
    return
  }
  if (room.live > 0) findings.count('price lists while visitors waited or were inside')
  const rises = room.list === null || room.live === 0 ? [] : risen(room.list, list)
  if (rises.length > 0) {
    findings.violate(`While ${room.live} visitors waited or were inside, these rose: ${rises.join(', ')}`, record)
  }
  room.list = list
}
