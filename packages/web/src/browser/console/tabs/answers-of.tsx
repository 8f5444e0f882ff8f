import type { VNode } from 'preact'
import type { FoundReservation } from '../kit/answers.ts'
import { formatInstant } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'

/** What a buyer said before paying; nothing where nothing was said. */
export function AnswersOf({ item }: { item: FoundReservation }): VNode | null {
  const { names = [], answers = [], terms = null, marketing } = item
  const consent = marketing?.given === true && marketing.at !== null ? marketing.at : null
  if (names.length === 0 && answers.length === 0 && terms === null && consent === null) return null
  return (
    <details class="small answers">
      <summary>{words.ask.answers}</summary>
      <ul>
        {names.map(({ seatId, name }) => (
          <li key={seatId}>
            {words.ask.holder} {seatOf(item, seatId)}: {name}
          </li>
        ))}
        {answers.map(({ questionId, seatId, label, answer }) => (
          <li key={`${questionId} ${seatId}`}>
            {label} {seatId === null ? '' : seatOf(item, seatId)}: {answer}
          </li>
        ))}
        {terms !== null && (
          <li>
            {tell(words.ask.accepted, { at: formatInstant(terms.acceptedAt) })}: {terms.url}
          </li>
        )}
        {consent !== null && <li>{tell(words.ask.consent, { at: formatInstant(consent) })}</li>}
      </ul>
    </details>
  )
}

function seatOf({ items }: FoundReservation, seatId: string): string {
  const index = items.findIndex((seat) => seat.seatId === seatId)
  const seat = items[index]
  return seat === undefined || seat.row === null ? `${index + 1}` : `${seat.row} ${seat.number}`
}
