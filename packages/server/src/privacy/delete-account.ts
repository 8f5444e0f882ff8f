import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { faults, SeatwiseError } from '@seatwise/domain'
import {
  beginErasure,
  endErasure,
  eraseAccount,
  readRoom,
  type TicketOfAccount,
  textsToErase,
  ticketsOfAccount,
} from '@seatwise/ledger'
import { type IdentityServices, TOKEN_VALID_SECONDS_MAX } from '../identity/index.ts'
import type { RoomServices } from '../rooms/index.ts'
import { removeMailTo } from './mail-copies.ts'

type Parts = Pick<RoomServices & IdentityServices, 'config' | 'ledger' | 'identity' | 'rooms' | 'log'>

/** How long a deletion waits until the ledger has copied the end of the account's tickets. */
const FOLLOWED_MS_MAX = 5_000
const LOOK_MS = 25

/** Deletes an account: from now on no device is signed in to it, and nothing names its owner (A91). */
export async function deleteAccount(parts: Parts, userId: string): Promise<void> {
  const { ledger, identity } = parts
  await beginErasure(ledger.db, userId, { keptSeconds: TOKEN_VALID_SECONDS_MAX })
  identity.actors.forget(userId)
  await identity.ended.refresh()
  if (faults.on) await faults.reach('erase.after-begin')
  await finishDeletion(parts, userId)
}

/** What is left of a deletion that was begun, here or on a server that died; repeating it does no harm. */
export async function finishDeletion(parts: Parts, userId: string): Promise<void> {
  const { config, ledger, log } = parts
  const texts = await textsToErase(ledger.db, userId)
  const tickets = await ticketsOfAccount(ledger.db, userId)
  const roomIds = new Set(tickets.map((ticket) => ticket.roomId))
  for (const ticket of tickets) if (ticket.isLive) await endTicket(parts, ticket)
  for (const roomId of roomIds) await untilFollowed(parts, roomId)
  if (faults.on) await faults.reach('erase.after-line')
  await removeMailTo(config, texts)
  if (faults.on) await faults.reach('erase.after-mail')
  await eraseAccount(ledger.db, userId)
  if (faults.on) await faults.reach('erase.after-ledger')
  // Servers that have not read that far read the ledger's copy instead, which has no names.
  const shortened = await Promise.allSettled([...roomIds].map((roomId) => shortenLog(parts, roomId)))
  if (faults.on) await faults.reach('erase.after-log')
  const failed = shortened.find((one) => one.status === 'rejected')
  // The row that is left has it tried again, here or on another server.
  if (failed !== undefined) log.warn({ err: failed.reason }, 'logs could not be shortened')
  else await endErasure(ledger.db, userId)
}

async function shortenLog({ rooms }: Parts, roomId: string): Promise<void> {
  const room = await rooms.byId(roomId)
  await room.forgetFollowed()
}

async function endTicket({ rooms }: Parts, ticket: TicketOfAccount): Promise<void> {
  const { roomId, number, identity, generation } = ticket
  const room = await rooms.byId(roomId)
  await room.end({ number, identity, generation, as: 'terminated', operation: randomUUID() })
}

/** Waits until the ledger has the whole log as of now: it would write a name again otherwise, and the log could not be shortened. */
async function untilFollowed({ rooms, ledger }: Parts, roomId: string): Promise<void> {
  const room = await rooms.byId(roomId)
  const { epoch, seq } = (await room.freshNow()).document
  for (let waited = 0; ; waited += LOOK_MS) {
    const row = await readRoom(ledger.db, { roomId })
    if (row === null || row.epoch > epoch || row.seq >= seq) return
    if (waited >= FOLLOWED_MS_MAX) throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 5 })
    await pause(LOOK_MS)
  }
}
