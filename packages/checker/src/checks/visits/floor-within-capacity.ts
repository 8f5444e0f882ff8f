import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { HistoryRecord } from '../../records/records.ts'
import { RoomReplay } from '../../replay/room-replay.ts'

/** I13. After every admission the floor holds at most `capacity` tickets; after capacity was lowered, the floor must first empty. */
export const floorWithinCapacity: Check = {
  id: 'I13',
  name: 'floor ≤ capacity after every admission',
  start(): CheckRun {
    const findings = new Findings('admissions', 'admissions that filled the floor')
    const rooms = new Map<string, RoomReplay>()
    return {
      see(record: HistoryRecord) {
        if (record.record !== 'log') return
        const room = getOrMake(rooms, record.room, () => new RoomReplay())
        if (!room.apply(record) || record.kind !== 'admit') return
        findings.count('admissions')
        const capacity = room.limits?.capacity
        if (capacity === undefined) {
          findings.violate(`Room ${record.room} admitted ticket ${record.ticket} before its capacity was set`, record)
        } else if (room.floor.size > capacity) {
          findings.violate(`${room.floor.size} tickets are on the floor, which takes ${capacity}`, record)
        } else if (room.floor.size === capacity) {
          findings.count('admissions that filled the floor')
        }
      },
      finish: () => findings.verdict('admissions'),
    }
  },
}
