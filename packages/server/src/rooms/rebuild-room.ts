import { faults } from '@seatwise/domain'
import {
  beginEpoch,
  type Ledger,
  type RoomRow,
  readCompanions,
  readCorrections,
  readEvent,
  readLineMemory,
  readLiveTickets,
  readRoom,
  readStock,
  wasRestored,
  withRoomLock,
} from '@seatwise/ledger'
import { type Line, type LoadedTicket, NO_PLACE, type RoomState } from '@seatwise/line'
import { waitMs } from '../kit/index.ts'
import { pricesListed } from './fair-start/prices-listed.ts'
import { type StartParts, startStateOf } from './fair-start/start-state.ts'

export interface RebuildParts extends StartParts {
  readonly line: Line
}

/** The maximum number of log entries that the ledger may lack: a minute of joins at the pace of a whole machine. */
const LOG_MAX = 1_000_000

/** How long PostgreSQL may be unavailable before admission stops (R17). */
const FOLLOW_WITHIN_MS = 2_000

/** How long to wait before checking again whether another server has finished its rebuild. */
const LOOK_AGAIN_MS = 50

/** A room without an event has no sale window. */
const ALWAYS_OPEN = { opensAt: 0, closesAt: 8_640_000_000_000_000 }

/**
 * Makes sure that the room's line has the ledger's epoch, and returns the room. A line that is missing, has another
 * epoch, or was found lost (`lostEpoch`) is rebuilt from the ledger: by one server, while the others wait here.
 */
export async function ensureLine(
  parts: RebuildParts,
  room: string,
  lost: { epoch: number; reason: string } | null,
): Promise<RoomRow> {
  while (true) {
    const row = await findIntact(parts, room, lost)
    if (row !== null) return row
    const rebuilt = await withRoomLock(parts.ledger, room, async () => {
      // The previous holder of the lock may have rebuilt it.
      return (await findIntact(parts, room, lost)) ?? (await rebuild(parts, room, lost?.reason ?? 'start'))
    })
    if (rebuilt.status === 'done') return rebuilt.result
    await waitMs(LOOK_AGAIN_MS)
  }
}

/** The room, if its line has the ledger's epoch and is not the lost one. */
async function findIntact(
  { ledger, line }: RebuildParts,
  room: string,
  lost: { epoch: number } | null,
): Promise<RoomRow | null> {
  const row = await mustRead(ledger, room)
  if (row.epoch === 0 || row.epoch === lost?.epoch) return null
  return (await line.epochOf(room)) === row.epoch ? row : null
}

async function rebuild(parts: RebuildParts, room: string, reason: string): Promise<RoomRow> {
  const { ledger, line } = parts
  const before = await mustRead(ledger, room)
  // What was restored from a backup says so in its log, whose heads after the backup may not be extended.
  const why = (await wasRestored(ledger.db, room, before.epoch)) ? 'restored' : reason
  const begun = await beginEpoch(ledger.db, {
    room,
    lostEpoch: before.epoch,
    reason: before.epoch === 0 ? 'opened' : why,
    // In one process the ledger commits before the line acknowledges, so no ticket can have been drawn unseen.
    unseenMax: ledger.kind === 'pglite' ? 0 : LOG_MAX,
  })
  // This server holds the room's lock, so no other server can have raised the epoch in between.
  if (begun.status !== 'begun') throw new Error(`The epoch of room ${room} was raised without its lock`)
  if (faults.on) await faults.reach('rebuild.after-epoch')
  await line.beginLoad(room, begun.epoch, await stateFrom(parts, before, begun.nextNumber, why))
  for await (const tickets of readLiveTickets(ledger.db, room)) {
    await line.loadTickets(room, begun.epoch, tickets satisfies LoadedTicket[])
  }
  const companions = await readCompanions(ledger.db, room)
  if (companions.length > 0) await line.loadTickets(room, begun.epoch, companions satisfies LoadedTicket[])
  if (faults.on) await faults.reach('rebuild.before-open')
  await line.finishLoad(room, begun.epoch, await readCorrections(ledger.db, room))
  await tellNewerStock(ledger, line, before, begun.epoch)
  return await mustRead(ledger, room)
}

/** Seats reserved while the tickets were read are missing in the stock that was read before. */
async function tellNewerStock(ledger: Ledger, line: Line, { id, eventId }: RoomRow, epoch: number): Promise<void> {
  if (eventId === null) return
  await line.settle({ room: id, epoch, seenSeq: 0 }, { ...(await readStock(ledger.db, eventId)), results: [] })
}

/** Of a room, in milliseconds; a room without a schedule is always open. */
export function windowOf({ opensAt, closesAt }: { opensAt: Date | null; closesAt: Date | null }): typeof ALWAYS_OPEN {
  return {
    opensAt: opensAt?.getTime() ?? ALWAYS_OPEN.opensAt,
    closesAt: closesAt?.getTime() ?? ALWAYS_OPEN.closesAt,
  }
}

async function stateFrom(parts: RebuildParts, row: RoomRow, nextNumber: number, reason: string): Promise<RoomState> {
  const { ledger } = parts
  const start = await startStateOf(parts, row)
  const memory = await readLineMemory(ledger.db, row.id, start.draw?.drawnBelow ?? 0)
  return {
    settings: row.settings,
    paused: row.paused,
    message: row.message,
    ...windowOf(row),
    start: { ...start, hasStarted: memory.hasStarted },
    ...(await stockOf(ledger, row)),
    ...(await pricesOf(ledger, row)),
    nextNumber,
    marks: Object.fromEntries(memory.marks.map(({ epoch, mark }) => [epoch, mark])),
    lastPlaces: memory.lastPlaces,
    passedPlace: memory.passedPlace ?? NO_PLACE,
    usedCodes: memory.usedCodes,
    logMax: LOG_MAX,
    followWithinMs: FOLLOW_WITHIN_MS,
    reason: row.epoch === 0 ? 'opened' : reason,
  }
}

/** A draft's prices are not public; publishing it tells them. */
async function pricesOf(ledger: Ledger, { eventId, state }: RoomRow): Promise<Pick<RoomState, 'prices'>> {
  const event = eventId === null || state === 'draft' ? null : await readEvent(ledger.db, eventId)
  return event === null ? {} : { prices: pricesListed(event) }
}

/** A room without an event has nothing to sell. */
async function stockOf(
  ledger: Ledger,
  { eventId }: RoomRow,
): Promise<Pick<RoomState, 'stock' | 'heldSeats' | 'stockVersion'>> {
  if (eventId === null) return { stock: null, heldSeats: 0, stockVersion: 0 }
  const { version: stockVersion, stock, heldSeats } = await readStock(ledger.db, eventId)
  return { stock, heldSeats, stockVersion }
}

async function mustRead(ledger: Ledger, room: string): Promise<RoomRow> {
  const row = await readRoom(ledger.db, { roomId: room })
  if (row === null) throw new Error(`The ledger has no room ${room}`)
  return row
}
