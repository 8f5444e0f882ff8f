import { randomUUID } from 'node:crypto'
import { changeRoom, type Ledger, type RoomEdit } from '@seatwise/ledger'
import type { Line, RoomChange } from '@seatwise/line'
import { fixedPart, movedStart, requireChanged, withStart } from './fair-start/change-start.ts'
import type { DrawKit } from './fair-start/draw-kit.ts'
import type { KnownRow } from './known-row.ts'
import type { RoomPicture } from './picture/room-picture.ts'
import type { Room } from './room.ts'
import type { RoomLink } from './room-link.ts'

export interface ChangeParts {
  readonly id: string
  readonly ledger: Ledger
  readonly line: Line
  readonly link: RoomLink
  readonly row: KnownRow
  readonly picture: RoomPicture
  readonly drawKit: DrawKit
  /** A change may let visitors in. */
  readonly nudge: () => void
}

/** The part of a room's handle by which operators and organisers change it. */
export function createChanges(parts: ChangeParts): Pick<Room, 'change' | 'moveStart'> {
  const { id, ledger, row } = parts
  return {
    async change(wanted, undoes) {
      const change = await withStart(parts, row.value, wanted)
      const by = { id: change.by, ...(undoes !== undefined && { undoes }) }
      // What only the line can allow, it decides first. The settings follow the ledger: other servers then read it again.
      const { onlyWhile, joinsFrom: _, draw: __, ...rest } = change
      if (onlyWhile !== undefined) await changeLine(parts, fixedPart(change))
      row.learn(await changeRoom(ledger.db, id, editOf(change), by))
      await changeLine(parts, rest)
      parts.nudge()
    },
    async moveStart(salesStartAt, by) {
      const change = await movedStart(parts, row.value, salesStartAt, by)
      if (change !== null) await changeLine(parts, change)
    },
  }
}

async function changeLine({ line, link, picture }: ChangeParts, change: Omit<RoomChange, 'operation'>): Promise<void> {
  await link.run(async (at) => {
    const reply = await line.change(at, { ...change, operation: randomUUID() })
    requireChanged(reply)
    link.saw(at.epoch, reply.seq)
    if (at.epoch !== link.epoch) return
    // The other servers learn it from the log; this server applies it before it answers.
    picture.learnSettings(reply.seq, change.settings ?? {})
    // The change is made, also if the store cannot be read now: the next reader asks again.
    await picture.freshNow().catch(() => undefined)
  })
}

/** The part of a change that the ledger stores with the room: the sale window belongs to the event. */
function editOf({ settings, paused, message }: Omit<RoomChange, 'operation'>): RoomEdit {
  return {
    ...(settings && { settings }),
    ...(paused !== undefined && { paused }),
    ...(message !== undefined && { message }),
  }
}
