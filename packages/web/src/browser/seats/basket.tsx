import { type Signal, useSignal } from '@preact/signals'
import type { Place } from '@seatwise/client'
import { useEffect } from 'preact/hooks'
import { tellClock } from '../../views/duration.ts'
import { Icon } from '../icon.tsx'
import type { Choosing } from './choosing.ts'
import type { SeatTypeInfo } from './seat-model.ts'
import { Stepper } from './stepper.tsx'

const ALMOST_OVER_MS = 60_000

/** Where the thumb is: what is chosen, what it costs, how long there is, and the way on. */
export function Basket({ choosing, place }: { choosing: Choosing; place: Signal<Place | null> }) {
  const { words, chosen, count, total, notice, isReserving } = choosing
  const left = useTimeLeft(choosing, place)
  const isShort = left < ALMOST_OVER_MS
  return (
    <section class="basket" aria-label={words.basket}>
      {notice.value && (
        <p class="notice bad" role="alert">
          {notice.value}
        </p>
      )}
      {isShort && <MoreTime choosing={choosing} place={place} />}
      {count.value === 0 ? (
        <p class="quiet">{words.empty}</p>
      ) : (
        <ul class="chips">
          {[...chosen.value].map((seat) => (
            <li key={seat.id}>
              <button
                type="button"
                class="chip"
                aria-label={choosing.say(words.remove, { seat: choosing.nameOf(seat) })}
                onClick={() => choosing.toggle(seat)}
              >
                {choosing.nameOf(seat)} <Icon name="close" />
              </button>
            </li>
          ))}
          {choosing.model.types.map((type) => (
            <LooseChip key={type.id} choosing={choosing} type={type} />
          ))}
        </ul>
      )}
      {choosing.model.types.map((type) => (
        <Prices key={type.id} choosing={choosing} type={type} />
      ))}
      <div class="sum">
        <p>
          <span class="label">{words.total}</span> <b class="number">{total.value}</b>
        </p>
        <p class={isShort ? 'short' : ''}>
          <span class="label">{words.timeLeft}</span> <span class="number">{tellClock(left)}</span>
        </p>
        <button
          type="button"
          class="main"
          disabled={count.value === 0 || isReserving.value || place.value === null}
          onClick={() => void choosing.reserve()}
        >
          {isReserving.value ? words.reserving : words.reserve}
        </button>
      </div>
    </section>
  )
}

/** How many of the chosen seats of a type have which of its prices, such as for children. */
function Prices({ choosing, type }: { choosing: Choosing; type: SeatTypeInfo }) {
  const split = choosing.splitOf(type)
  if (split.length < 2 || choosing.countOf(type) === 0) return null
  const [first, ...others] = split
  if (first === undefined) return null
  return (
    <fieldset class="variants">
      <legend>
        <span class="quiet">{choosing.say(choosing.words.pricesOf, { type: type.name })}</span>{' '}
        <output class="number">{first.count}</output> × {first.variant.name} {choosing.money(first.variant.price)}
      </legend>
      {others.map(({ variant, count }) => (
        <p key={variant.id}>
          <span>
            {variant.name} <span class="quiet">{choosing.money(variant.price)}</span>
          </span>
          <Stepper
            label={variant.name}
            count={count}
            words={choosing.words}
            onStep={(by) => choosing.changePrice(type, variant.id, by)}
          />
        </p>
      ))}
    </fieldset>
  )
}

/** Places without a number: one chip for all of a type, which lets go of them. */
function LooseChip({ choosing, type }: { choosing: Choosing; type: SeatTypeInfo }) {
  const count = choosing.loose.value.get(type.place) ?? 0
  if (count === 0) return null
  const name = `${count} × ${type.name}`
  return (
    <li>
      <button
        type="button"
        class="chip"
        aria-label={choosing.say(choosing.words.remove, { seat: name })}
        onClick={() => choosing.dropLoose(type)}
      >
        {name} <Icon name="close" />
      </button>
    </li>
  )
}

/** Extra time on request, once, before the time is over. */
function MoreTime({ choosing, place }: { choosing: Choosing; place: Signal<Place | null> }) {
  const { wait } = choosing.data.words
  const state = place.value?.state
  const isGiven = useSignal(false)
  if (state?.status !== 'active' || state.extended)
    return isGiven.value ? <p role="status">{wait.moreTimeGiven}</p> : null
  return (
    <p class="notice">
      {choosing.words.almostOver}{' '}
      <button
        type="button"
        class="plain"
        onClick={() =>
          void place.value?.extend().then(
            () => {
              isGiven.value = true
            },
            () => {
              choosing.notice.value = wait.moreTimeUsed
            },
          )
        }
      >
        {wait.moreTime}
      </button>
    </p>
  )
}

/** Also in the header of the page, and everything ends with it. */
function useTimeLeft(choosing: Choosing, place: Signal<Place | null>): number {
  const now = useSignal(Date.now())
  const endsAt = useSignal(choosing.data.place.endsAt)
  useEffect(() => {
    const timer = setInterval(() => {
      const state = place.value?.state
      if (state?.status === 'active') endsAt.value = state.endsAt
      now.value = Date.now()
      const header = document.getElementById('time-left')
      if (header !== null) header.textContent = tellClock(endsAt.value - now.value)
    }, 500)
    return () => clearInterval(timer)
  }, [])
  return endsAt.value - now.value
}
