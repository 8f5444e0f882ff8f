import assert from 'node:assert/strict'
import type { Corrected } from '../../log-entry.ts'
import { type DrawState, type LoadedTicket, PLAIN_START, type RoomState, rulesOf } from '../../room-state.ts'
import { inBatches } from '../scripts/batches.ts'
import { epochKey, roomKey } from '../scripts/keys.ts'
import type { At, Scripts } from '../scripts/scripts.ts'
import { announcementLine } from '../wire/announcement-line.ts'
import { assertIdentity } from '../wire/identity.ts'
import { numberIn, textIn } from '../wire/reply.ts'
import { escapeText } from '../wire/text.ts'

/** Ticket chunks removed in one call; each holds 256 tickets. */
const FORGET_BATCH = 200
/** How many epochs before the current one may have left keys: loads that were begun and never finished. */
const EPOCHS_BACK = 16

export async function epochOf(scripts: Scripts, room: string): Promise<number | null> {
  const key = epochKey(scripts.prefix, room)
  const epoch = await scripts.connection.send(key, ['GET', key])
  return epoch === null ? null : Number(textIn(epoch))
}

/** Runs begin-load.lua, after removing an unfinished load of the same epoch. */
export async function beginLoad(scripts: Scripts, at: At, state: RoomState): Promise<void> {
  await forgetEpoch(scripts, at)
  const { settings, paused, message, opensAt, closesAt, stock, heldSeats, stockVersion, marks } = state
  const { joinsFrom, hasStarted, draw } = state.start ?? PLAIN_START
  const reason = escapeText(state.reason)
  await scripts.run('begin-load', at, [
    at.epoch,
    JSON.stringify({
      ...{ settings, paused, message, opensAt, closesAt, joinsFrom, stock, heldSeats, stockVersion, marks, reason },
      draw: draw && drawOf(draw),
      prices: state.prices === undefined ? '' : announcementLine(state.prices),
    }),
    state.nextNumber,
    state.logMax,
    state.followWithinMs ?? '',
    ...state.lastPlaces,
    state.passedPlace,
    hasStarted ? 1 : 0,
    JSON.stringify(rulesOf(state)),
  ])
  if (state.usedCodes.length === 0) return
  await inBatches(state.usedCodes.map(escapeText), async (codes) => {
    await scripts.run('load-codes', at, [at.epoch, ...codes])
    return []
  })
}

/** With the announcement as a line of the log, unless the log has it already. */
function drawOf({ progress, sealAfterMs, drawnBelow, isNew, note }: DrawState) {
  return { progress, sealAfterMs, drawnBelow, line: isNew ? announcementLine({ kind: 'draw', ...note }) : '' }
}

/** Runs load-tickets.lua. */
export async function loadTickets(scripts: Scripts, at: At, tickets: readonly LoadedTicket[]): Promise<void> {
  await inBatches(tickets, async (batch) => {
    await scripts.run('load-tickets', at, [at.epoch, ...batch.flatMap(argsOf)])
    return []
  })
}

/** Runs finish-load.lua. */
export async function finishLoad(scripts: Scripts, at: At, corrections: readonly Corrected[]): Promise<void> {
  const earlier = (await epochOf(scripts, at.room)) ?? at.epoch
  const args = corrections.flatMap(({ number, state, fence, deadline, sessionEnd, quantity }) => [
    ...[number, state, fence ?? '-', deadline ?? '-', sessionEnd ?? '-', quantity],
  ])
  await scripts.run('finish-load', at, [at.epoch, ...args], [roomKey(scripts.prefix, at.room, earlier, 'room')])
}

/** Removes the keys that earlier epochs of a room left. Rule L36. */
export async function forgetEarlier(scripts: Scripts, { room, epoch }: At): Promise<void> {
  for (let old = epoch - 1; old >= Math.max(0, epoch - EPOCHS_BACK); old--)
    await forgetEpoch(scripts, { room, epoch: old })
}

/** Removes a room: first the key that makes it visible, then the rest. */
export async function drop(scripts: Scripts, room: string): Promise<void> {
  const epoch = await epochOf(scripts, room)
  if (epoch === null) return
  const key = epochKey(scripts.prefix, room)
  await scripts.connection.send(key, ['DEL', key])
  // A load of the next epoch may have begun.
  await forgetEarlier(scripts, { room, epoch: epoch + 2 })
}

/** Runs forget-epoch.lua until nothing is left. */
async function forgetEpoch(scripts: Scripts, at: At): Promise<void> {
  let more = 1
  while (more === 1) more = numberIn(await scripts.run('forget-epoch', at, [at.epoch, FORGET_BATCH]))
}

const STATE_LETTERS = { waiting: 'W', admitted: 'A', active: 'C' } as const

function argsOf(ticket: LoadedTicket): (string | number)[] {
  const { number, identity, state, deadline, fence, shown } = ticket
  assertIdentity(identity)
  assert(state === 'waiting' || (deadline !== null && fence !== null), `Ticket ${number} needs deadline and fence`)
  return [
    number,
    identity,
    ticket.class,
    ticket.place,
    ticket.generation,
    ticket.joinedAt,
    letterOf(ticket),
    deadline ?? '',
    ticket.sessionEnd ?? '',
    fence ?? '',
    ticket.extended ? 1 : 0,
    ticket.reservedSeats,
    escapeText(ticket.limitKey ?? ''),
    shown === null ? '' : escapeText(JSON.stringify(shown)),
    ticket.standsWith ?? '',
  ]
}

function letterOf({ state, away, standsWith }: LoadedTicket): string {
  if (standsWith !== undefined) return 'G'
  return state === 'waiting' && away ? 'Y' : STATE_LETTERS[state]
}
