import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FoundReservation } from '../kit/answers.ts'
import { call, explain } from '../kit/api.ts'
import { formatInstant, formatMoney } from '../kit/format.ts'
import { page, tell, words } from '../kit/page.ts'
import { acts, base } from '../sale/sale-state.ts'
import { AnswersOf } from './answers-of.tsx'
import { RefundButton } from './refund-button.tsx'

type Status = keyof typeof words.reservations.status
const STATUSES = Object.keys(words.reservations.status) as Status[]
const TYPE_MS = 300

/** Every reservation of the event, found by what a caller on the phone can name. */
export function ReservationsTab(): VNode {
  const [text, setText] = useState('')
  const [status, setStatus] = useState<Status | ''>('')
  const [items, setItems] = useState<FoundReservation[]>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const look = (after: string | null): void => {
    const query = new URLSearchParams({
      q: text,
      ...(status === '' ? {} : { status }),
      ...(after === null ? {} : { cursor: after }),
    })
    call<{ items: FoundReservation[]; nextCursor: string | null }>('GET', `${base}/reservations?${query}`).then(
      (answer) => {
        setItems((before) => (after === null ? answer.items : [...before, ...answer.items]))
        setCursor(answer.nextCursor)
        setProblem('')
      },
      (error) => setProblem(explain(error)),
    )
  }
  useEffect(() => {
    const timer = setTimeout(() => look(null), TYPE_MS)
    return () => clearTimeout(timer)
  }, [text, status, acts.value])
  return (
    <div class="stack">
      <div class="finder">
        <label class="field">
          {words.reservations.find}
          <input
            type="search"
            name="find"
            maxLength={200}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          {words.reservations.statusLabel}
          <select value={status} onChange={(event) => setStatus(event.currentTarget.value as Status | '')}>
            <option value="">{words.reservations.all}</option>
            {STATUSES.map((name) => (
              <option key={name} value={name}>
                {words.reservations.status[name]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div role="status">
        {problem}
        {items.length === 0 && problem === '' && words.reservations.none}
      </div>
      {items.length > 0 && <Found items={items} />}
      {cursor !== null && (
        <p>
          <button type="button" onClick={() => look(cursor)}>
            {words.reservations.more}
          </button>
        </p>
      )}
      <Exports />
    </div>
  )
}

function Found({ items }: { items: FoundReservation[] }): VNode {
  return (
    <div class="table-scroll">
      <table>
        <caption class="heard">{words.tabs.reservations}</caption>
        <thead>
          <tr>
            <th scope="col">{words.reservations.buyer}</th>
            <th scope="col">{words.reservations.statusLabel}</th>
            <th scope="col">{words.reservations.seats}</th>
            <th scope="col">{words.reservations.amount}</th>
            <th scope="col">{words.reservations.made}</th>
            <th scope="col">
              <span class="heard">{words.reservations.refund}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Reservation key={item.id} item={item} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Reservation({ item }: { item: FoundReservation }): VNode {
  const { buyer, purchase, amount, currency } = item
  const name = buyer.name ?? buyer.email ?? words.tables.guest
  const money = formatMoney(amount, currency)
  const isPartly = purchase?.status === 'PARTLY_REFUNDED'
  return (
    <tr>
      <td>
        {name}
        {buyer.email !== null && <div class="small quiet">{buyer.email}</div>}
        <AnswersOf item={item} />
      </td>
      <td>{isPartly ? words.reservations.partly : words.reservations.status[item.status]}</td>
      <td>{seatsOf(item)}</td>
      <td class="number">{money}</td>
      <td class="number">{item.createdAt === undefined ? '–' : formatInstant(item.createdAt)}</td>
      <td>{page.mayChange && item.status === 'PAID' && purchase !== null && <RefundButton item={item} />}</td>
    </tr>
  )
}

function seatsOf({ items }: FoundReservation): string {
  const numbered = items.filter(({ row }) => row !== null).map(({ row, number }) => `${row} ${number}`)
  const others = items.length - numbered.length
  return [...numbered, ...(others === 0 ? [] : [tell(words.tables.seats, { count: others })])].join(', ')
}

/** Links, not scripts: the browser saves what they lead to. */
function Exports(): VNode {
  const { exports } = words
  return (
    <p class="actions small">
      <span>{exports.title}:</span>
      {(['reservations', 'etickets', 'checkins', 'trail'] as const).map((what) => (
        <a key={what} href={`${base}/${what}.csv`}>
          {exports[what]}
        </a>
      ))}
    </p>
  )
}
