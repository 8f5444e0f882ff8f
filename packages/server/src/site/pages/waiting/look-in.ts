import type { Outside } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import type { Room } from '../../../rooms/index.ts'

/** What joining would answer, as far as it can be known without issuing a ticket. */
export async function lookIn({ actor }: FastifyRequest, room: Room, hasCode: boolean): Promise<Outside> {
  const { guests, keepLineWhenSoldOut } = room.settings
  if (!guests && (actor === null || actor.role === 'guest')) return { status: 'outside', why: 'sign_in' }
  const { phase } = (await room.now()).document
  if (room.isPresale && !hasCode) return { status: 'outside', why: 'before' }
  if (phase === 'before' || phase === 'ended') return { status: 'outside', why: phase }
  return { status: 'outside', why: phase === 'sold_out' && !keepLineWhenSoldOut ? 'sold_out' : 'open' }
}
