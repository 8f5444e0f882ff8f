import type { Seal } from '../../contract.ts'
import { append, countAway, type Room } from '../state/room.ts'

/** Fixes the set of drawn tickets: those that wait or are away now. Rules J5 and J10. */
export function seal(room: Room): Seal {
  const { draw, seq } = room
  if (draw === null) return { status: 'none', seq, waitMs: 0 }
  if (draw.progress !== 'announced') return { status: draw.progress, seq, waitMs: 0 }
  const waitMs = Math.max(room.opensAt, draw.sealFrom) - room.now
  if (waitMs > 0) return { status: 'early', seq, waitMs }
  draw.progress = 'sealed'
  draw.drawnBelow = room.nextNumber
  append(room, 'seal', { kind: 'sealed', count: room.line.size + countAway(room), nextNumber: room.nextNumber })
  return { status: 'sealed', seq: room.seq, waitMs: 0 }
}
