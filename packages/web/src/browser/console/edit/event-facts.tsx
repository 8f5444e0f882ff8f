import { instantOfWall } from '@seatwise/domain'
import type { VNode } from 'preact'
import { words } from '../kit/page.ts'
import { ZoneField } from './zone-field.tsx'

/** The facts of an event as fields hold them: text, times by the clock at the venue. */
export interface Facts {
  readonly name: string
  readonly code: string
  readonly description: string
  readonly location: string
  readonly timeZone: string
  readonly startsAt: string
  readonly endsAt: string
  readonly doorsAt: string
  readonly ageMin: string
  readonly presaleStartAt: string
  readonly salesStartAt: string
  readonly salesEndAt: string
}

export const TIMES = ['presaleStartAt', 'salesStartAt', 'salesEndAt', 'doorsAt', 'startsAt', 'endsAt'] as const
export type FactName = keyof Facts

export function EventFacts({
  facts,
  onFact,
}: {
  facts: Facts
  onFact: (name: FactName, value: string) => void
}): VNode {
  const text = (name: 'name' | 'code' | 'location', max: number): VNode => (
    <label class="field">
      {words.edit[name]}
      <input
        name={name}
        maxLength={max}
        required={name === 'name'}
        value={facts[name]}
        onInput={(event) => onFact(name, event.currentTarget.value)}
      />
    </label>
  )
  return (
    <fieldset class="stack">
      <legend>
        <h2>{words.edit.facts}</h2>
      </legend>
      <div class="fields">
        {text('name', 200)}
        {text('location', 300)}
        {text('code', 40)}
        <ZoneField zone={facts.timeZone} onZone={(zone) => onFact('timeZone', zone)} />
        <label class="field">
          {words.edit.ageMin}
          <input
            name="ageMin"
            type="number"
            min={0}
            max={120}
            value={facts.ageMin}
            onInput={(event) => onFact('ageMin', event.currentTarget.value)}
          />
        </label>
        {TIMES.map((name) => (
          <label key={name} class="field">
            {words.edit[name]}
            <input
              name={name}
              type="datetime-local"
              required={name.startsWith('sales')}
              value={facts[name]}
              onInput={(event) => onFact(name, event.currentTarget.value)}
            />
            <Doubt zone={facts.timeZone} wall={facts[name]} />
          </label>
        ))}
      </div>
      <p class="hint" id="zone-hint">
        {words.edit.zoneHint}
      </p>
      <label class="field">
        {words.edit.description}
        <textarea
          name="description"
          rows={4}
          maxLength={20_000}
          value={facts.description}
          onInput={(event) => onFact('description', event.currentTarget.value)}
        />
      </label>
    </fieldset>
  )
}

/** Twice a year a clock shows a time that is none, or two. */
function Doubt({ zone, wall }: { zone: string; wall: string }): VNode | null {
  const { status } = wall === '' ? { status: 'once' } : instantOfWall(zone, wall)
  if (status === 'once') return null
  return (
    <span class={`hint ${status === 'never' ? 'bad' : ''}`}>
      {words.edit[status === 'never' ? 'skipped' : 'twice']}
    </span>
  )
}
