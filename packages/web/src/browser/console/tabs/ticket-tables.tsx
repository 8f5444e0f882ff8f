import type { VNode } from 'preact'
import type { TicketRow } from '../kit/answers.ts'
import { call } from '../kit/api.ts'
import { ConfirmButton } from '../kit/confirm-button.tsx'
import { formatCount, formatDuration, formatMoney } from '../kit/format.ts'
import { page, tell, words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { act, acts, base, nowMs } from '../sale/sale-state.ts'

const LOOK_MS = 3_000
const SHOWN = 25
const CLASSES = ['normal', 'elevated', 'vip', 'premium'] as const

/** Who goes in next, and who was called and not there. */
export function LineTable(): VNode {
  const path = `${base}/queue/front?limit=${SHOWN}`
  const { answer, problem } = useAnswer<{ items: TicketRow[]; away: TicketRow[] }>(path, LOOK_MS, acts.value)
  if (answer === null) return <p role="status">{problem}</p>
  if (answer.items.length === 0 && answer.away.length === 0) return <p>{words.tables.emptyLine}</p>
  return (
    <div class="stack">
      {answer.items.length > 0 && <WaitingTable items={answer.items} caption={words.tabs.line} />}
      {answer.items.length === SHOWN && <p class="hint">{tell(words.tables.shown, { count: SHOWN })}</p>}
      {answer.away.length > 0 && (
        <>
          <h3>{words.tables.away}</h3>
          <WaitingTable items={answer.away} caption={words.tables.away} />
        </>
      )}
    </div>
  )
}

function WaitingTable({ items, caption }: { items: TicketRow[]; caption: string }): VNode {
  return (
    <div class="table-scroll">
      <table>
        <caption class="heard">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.tables.position}</th>
            <th scope="col">{words.tables.name}</th>
            <th scope="col">{words.tables.class}</th>
            <th scope="col">{words.tables.waited}</th>
            <th scope="col">{words.tables.ticket}</th>
            <EndHead />
          </tr>
        </thead>
        <tbody>
          {items.map((row) => (
            <tr key={row.ticketId}>
              <td class="number">{row.position === undefined ? '–' : formatCount(row.position)}</td>
              <td>{nameOf(row)}</td>
              <td>{words.tables.classes[CLASSES[row.class ?? 0] ?? 'normal']}</td>
              <td class="number">{since(row.joinedAt)}</td>
              <td class="code">{row.ticketId}</td>
              <EndCell row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Who is inside, by how much time they have left. */
export function FloorTable(): VNode {
  const { answer, problem } = useAnswer<{ items: TicketRow[] }>(`${base}/queue/floor?limit=200`, LOOK_MS, acts.value)
  if (answer === null) return <p role="status">{problem}</p>
  if (answer.items.length === 0) return <p>{words.tables.emptyFloor}</p>
  return (
    <div class="table-scroll">
      <table>
        <caption class="heard">{words.tabs.floor}</caption>
        <thead>
          <tr>
            <th scope="col">{words.tables.name}</th>
            <th scope="col">{words.tables.state}</th>
            <th scope="col">{words.tables.leaves}</th>
            <th scope="col">{words.tables.inside}</th>
            <th scope="col">{words.tables.reservation}</th>
            <th scope="col">{words.tables.ticket}</th>
            <EndHead />
          </tr>
        </thead>
        <tbody>
          {answer.items.map((row) => (
            <tr key={row.ticketId}>
              <td>{nameOf(row)}</td>
              <td>{row.state === 'admitted' ? words.tables.admitted : words.tables.active}</td>
              <td class="number">{until(row.deadline)}</td>
              <td class="number">{since(row.admittedAt ?? null)}</td>
              <td>{reservationOf(row)}</td>
              <td class="code">{row.ticketId}</td>
              <EndCell row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const EndHead = (): VNode | null =>
  page.mayChange ? (
    <th scope="col">
      <span class="heard">{words.tables.end}</span>
    </th>
  ) : null

function EndCell({ row }: { row: TicketRow }): VNode | null {
  if (!page.mayChange) return null
  const end = (): Promise<unknown> => act(call('POST', `${base}/queue/terminate`, { ticketId: row.ticketId }))
  const question = tell(words.tables.endQuestion, { name: nameOf(row) })
  return (
    <td>
      <ConfirmButton label={words.tables.end} question={question} yes={words.tables.endYes} onYes={end} />
    </td>
  )
}

const nameOf = ({ name }: TicketRow): string => name ?? words.tables.guest

function reservationOf({ reservedSeats, reservation }: TicketRow): string {
  if (!reservedSeats) return words.tables.none
  const seats = tell(words.tables.seats, { count: reservedSeats })
  return reservation ? `${seats}, ${formatMoney(reservation.amount, reservation.currency)}` : seats
}

const since = (time: string | null): string =>
  time === null ? '–' : formatDuration(Math.max(0, nowMs.value - Date.parse(time)) / 1_000)
const until = (time: string | null | undefined): string =>
  time ? formatDuration(Math.max(0, Date.parse(time) - nowMs.value) / 1_000) : '–'
