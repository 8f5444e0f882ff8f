import { randomUUID } from 'node:crypto'
import { type CodesMade, type PricesListed, SeatwiseError } from '@seatwise/domain'
import { readRoom } from '@seatwise/ledger'
import { waitMs } from '../kit/index.ts'
import type { ChangeParts } from './change-open-room.ts'
import type { Room } from './room.ts'

/** How long an announcement may take to reach the ledger, and how often we look. */
const COPIED_WITHIN_MS = 5_000
const LOOK_EVERY_MS = 25

/** The part of a room's handle that says in its log what only verifiers need. Rule J63. */
export function createAnnounce(parts: Pick<ChangeParts, 'id' | 'ledger' | 'line' | 'link'>): Pick<Room, 'announce'> {
  const { id, line, link } = parts
  return {
    async announce(announce, by, { onlyWhileEmpty = false } = {}) {
      const change = { by, announce, operation: randomUUID(), ...(onlyWhileEmpty && { onlyWhile: 'empty' as const }) }
      const said = await link.run(async (at) => {
        const reply = await line.change({ ...at, room: id }, change)
        link.saw(at.epoch, reply.seq)
        return { ...reply, epoch: at.epoch }
      })
      if (said.isRefused) return false
      await untilCopied(parts, said)
      return true
    },
  }
}

export type Announced = CodesMade | PricesListed

/** From then on a lost line cannot lose the entry. */
async function untilCopied(
  { id, ledger }: Pick<ChangeParts, 'id' | 'ledger'>,
  { epoch, seq }: { epoch: number; seq: number },
): Promise<void> {
  for (let waited = 0; waited <= COPIED_WITHIN_MS; waited += LOOK_EVERY_MS) {
    const row = await readRoom(ledger.db, { roomId: id })
    if (row !== null && row.epoch === epoch && row.seq >= seq) return
    if (row === null || row.epoch > epoch) break
    await waitMs(LOOK_EVERY_MS)
  }
  throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
}
