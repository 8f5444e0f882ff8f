import { useSignal } from '@preact/signals'
import { Icon } from '../icon.tsx'
import type { Choosing } from './choosing.ts'
import { splitRow } from './map-labels.ts'
import { OfferBubble } from './offer-bubble.tsx'
import type { Seat, SeatTypeInfo } from './seat-model.ts'

/** Everything the map has, as a list: category, row, seat. Rows are filled when they are opened. */
export function ListView({ choosing }: { choosing: Choosing }) {
  choosing.revision.value
  const { model } = choosing
  const offer = choosing.offer.value
  return (
    <div class="seat-list">
      {offer && <OfferBubble choosing={choosing} offer={offer} at={null} />}
      {model.types
        .filter(({ isNumbered }) => isNumbered)
        .map((type) => (
          <section key={type.id}>
            <h2>
              {type.name} <span class="quiet">{choosing.pricesOf(type)}</span>
            </h2>
            {rowsOf(model.seats, type).map(([row, seats]) => (
              <Row key={row} choosing={choosing} row={row} seats={seats} />
            ))}
          </section>
        ))}
    </div>
  )
}

function rowsOf(seats: readonly Seat[], type: SeatTypeInfo): [string, Seat[]][] {
  return [
    ...Map.groupBy(
      seats.filter((seat) => seat.type === type),
      ({ row }) => row,
    ),
  ]
}

function Row({ choosing, row, seats }: { choosing: Choosing; row: string; seats: readonly Seat[] }) {
  const isOpen = useSignal(false)
  const free = seats.filter(({ look }) => look === 'free').length
  const { words } = choosing
  return (
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        {nameOfRow(choosing, row, seats[0]?.type.id)}{' '}
        <span class="quiet">
          {free} {words.free}
        </span>
      </summary>
      {isOpen.value && (
        <ul class="row-seats">
          {seats.map((seat) => (
            <li key={seat.id}>
              <SeatButton choosing={choosing} seat={seat} />
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

function nameOfRow(choosing: Choosing, label: string, typeId = ''): string {
  const { section, row } = splitRow(label, choosing.data.event.sections[typeId])
  const { words } = choosing
  return section === null ? choosing.say(words.rowName, { row }) : choosing.say(words.rowIn, { section, row })
}

function SeatButton({ choosing, seat }: { choosing: Choosing; seat: Seat }) {
  const isChosen = choosing.chosen.value.has(seat)
  return (
    <button
      type="button"
      class={`seat ${isChosen ? 'chosen' : seat.look}`}
      aria-pressed={isChosen}
      disabled={seat.look === 'blocked' || (seat.look === 'taken' && !isChosen)}
      onClick={() => choosing.toggle(seat)}
    >
      {/* Both: users of voice control say what they see, and in some languages a number is part of another word. */}
      <span aria-hidden="true">{seat.number}</span>
      {seat.isAccessible && <Icon name="wheelchair" />}
      <span class="heard">{choosing.describe(seat)}</span>
    </button>
  )
}
