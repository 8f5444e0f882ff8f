import { type LogEntry, numbersIn } from '@seatwise/domain'
import type { RoomOfTickets, TicketItem, TicketNewsType } from '@seatwise/ledger'
import { ticketId } from '../../rooms/index.ts'

interface Item extends TicketItem {
  readonly type: TicketNewsType
  readonly ticketId: string
  readonly eventId: string | null
  readonly roomId: string
  readonly at: string
  readonly reason?: string
}

/** What an entry of the log says about tickets, in the words of webhooks. Most entries are about one ticket. */
export function ticketItems({ roomId, eventId }: RoomOfTickets, { at, change }: LogEntry): Item[] {
  const reason = change.kind === 'expired' ? { reason: change.reason } : {}
  const moment = new Date(at).toISOString()
  return typesOf(change).flatMap((type) =>
    numbersIn(change).map((number) => ({
      ...{ type, ticketId: ticketId(roomId, number), eventId, roomId, at: moment, ...reason },
    })),
  )
}

function typesOf(change: LogEntry['change']): readonly TicketNewsType[] {
  switch (change.kind) {
    case 'joined':
    // Its joining was lost with an epoch, so that no receiver was told of it.
    case 'restored':
      return ['ticket.joined']
    case 'admitted':
      return change.active ? ['ticket.admitted', 'ticket.active'] : ['ticket.admitted']
    case 'entered':
      return ['ticket.active']
    case 'completed':
      return ['ticket.completed']
    case 'expired':
      return ['ticket.expired']
    case 'corrected':
      return correctedTypes(change)
    default:
      return []
  }
}

/** A rebuild found in the ledger what the lost end of the log had said: it is told now. */
function correctedTypes({ from, state }: Extract<LogEntry['change'], { kind: 'corrected' }>): TicketNewsType[] {
  const admitted: TicketNewsType[] = from === 'waiting' ? ['ticket.admitted'] : []
  const active: TicketNewsType[] = from !== 'active' && state !== 'admitted' ? ['ticket.active'] : []
  return [...admitted, ...active, ...(state === 'completed' ? (['ticket.completed'] as const) : [])]
}
