import type { ListedTicket } from '@seatwise/domain'
import type { VNode } from 'preact'
import { formatClock } from '../kit/format.ts'
import { tell } from '../kit/page.ts'
import type { DoorDesk } from './door-desk.ts'
import { entrance, nameSeat } from './door-words.ts'

interface Props {
  readonly tickets: readonly ListedTicket[]
  readonly max: number
  readonly desk: DoorDesk
  readonly onChoose: (shortCode: string) => void
}

/** The e-tickets that a name may mean, each with the button that lets its holder in. */
export function FoundTickets({ tickets, max, desk, onChoose }: Props): VNode {
  const count = tickets.length
  const said = count === 0 ? entrance.foundNone : tell(count === max ? entrance.foundMore : entrance.found, { count })
  return (
    <section class="stack">
      <p class="quiet" role="status">
        {said}
      </p>
      <ul class="found">
        {tickets.map((ticket) => (
          <li key={ticket.id}>
            <span>
              <strong>{ticket.holder ?? entrance.noName}</strong>
              <br />
              {nameSeat(ticket)}
            </span>
            <Choice ticket={ticket} usedAt={desk.usedAt(ticket)} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Choice({
  ticket,
  usedAt,
  onChoose,
}: { ticket: ListedTicket; usedAt: string | null } & Pick<Props, 'onChoose'>): VNode {
  if (ticket.isVoid) return <span class="quiet">{entrance.refunded}</span>
  if (usedAt !== null) return <span class="quiet">{tell(entrance.usedAt, { at: formatClock(usedAt) })}</span>
  const who = `${ticket.holder ?? entrance.noName}, ${nameSeat(ticket)}`
  return (
    <button type="button" aria-label={tell(entrance.letInNamed, { who })} onClick={() => onChoose(ticket.shortCode)}>
      {entrance.letIn}
    </button>
  )
}
