import { type Signal, useSignal } from '@preact/signals'
import type { Place } from '@seatwise/client'
import { Icon } from '../icon.tsx'
import { Basket } from './basket.tsx'
import type { Choosing } from './choosing.ts'
import { Legend } from './legend.tsx'
import { ListView } from './list-view.tsx'
import { MapView } from './map-view.tsx'
import { Stepper } from './stepper.tsx'

/** The floor: what to choose from, how, and what is chosen. */
export function SeatsScreen({
  choosing,
  isReached,
  place,
}: {
  choosing: Choosing
  isReached: Signal<boolean>
  place: Signal<Place | null>
}) {
  const { words, model } = choosing
  const hasMap = model.seats.length > 0 || model.shapes.length > 0
  const hasSeats = model.seats.length > 0
  const isList = useSignal(false)
  return (
    <div class="floor">
      <div class="choose">
        <div class="tools">
          {hasMap && (
            <fieldset class="switch" aria-label={`${words.map} / ${words.list}`}>
              <button type="button" aria-pressed={!isList.value} onClick={() => setTo(isList, false)}>
                {words.map}
              </button>
              <button type="button" aria-pressed={isList.value} onClick={() => setTo(isList, true)}>
                <Icon name="list" />
                {words.list}
              </button>
            </fieldset>
          )}
          {hasSeats && <BestTools choosing={choosing} />}
        </div>
        {!isReached.value && <p class="notice">{words.liveOff}</p>}
        {hasMap && (isList.value ? <ListView choosing={choosing} /> : <MapView choosing={choosing} />)}
        {hasMap && <Legend choosing={choosing} />}
      </div>
      <div class="side">
        <Loose choosing={choosing} />
        <Basket choosing={choosing} place={place} />
      </div>
    </div>
  )
}

function setTo(signal: Signal<boolean>, value: boolean): void {
  signal.value = value
}

/** How many, of which price, and one button that takes the best of them. */
function BestTools({ choosing }: { choosing: Choosing }) {
  const { words, model, quantity, type, accessible, data } = choosing
  const numbered = model.types.filter(({ isNumbered }) => isNumbered)
  const step = (by: number): void => {
    quantity.value = Math.min(data.event.maxSeatsPerBuyer, Math.max(1, quantity.value + by))
  }
  return (
    <div class="best">
      <Stepper label={words.howMany} count={quantity.value} words={words} onStep={step} />
      {numbered.length > 1 && (
        <label class="field">
          <span class="heard">{words.chooseType}</span>
          <select
            value={type.value?.id ?? ''}
            onChange={(event) => {
              type.value = numbered.find(({ id }) => id === event.currentTarget.value) ?? null
            }}
          >
            {numbered.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name} · {choosing.pricesOf(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={accessible.value}
          onChange={(event) => {
            accessible.value = event.currentTarget.checked
          }}
        />
        {words.accessible}
      </label>
      <button type="button" class="main" onClick={() => choosing.takeBest()}>
        <Icon name="star" />
        {choosing.say(words.bestTogether, { count: quantity.value })}
      </button>
    </div>
  )
}

/** Places without a number are counted, not drawn. */
function Loose({ choosing }: { choosing: Choosing }) {
  choosing.revision.value
  const { model, loose, words, data } = choosing
  const types = model.types.filter(({ isNumbered }) => !isNumbered)
  if (types.length === 0) return null
  return (
    <ul class="loose">
      {types.map((type) => (
        <li key={type.id}>
          <span>
            {type.name} <span class="quiet">{choosing.pricesOf(type)}</span>
          </span>
          <span class="quiet small">{choosing.say(data.words.wait.left, { count: model.freeOf(type) })}</span>
          <Stepper
            label={type.name}
            count={loose.value.get(type.place) ?? 0}
            words={words}
            onStep={(by) => choosing.changeLoose(type, by)}
          />
        </li>
      ))}
    </ul>
  )
}
