import type { VNode } from 'preact'
import { words } from '../page.ts'

/** The facts of an event as fields hold them: text, times in the time zone of whoever looks. */
export interface Facts {
  readonly name: string
  readonly code: string
  readonly description: string
  readonly location: string
  readonly startsAt: string
  readonly endsAt: string
  readonly salesStartAt: string
  readonly salesEndAt: string
}

const TIMES = ['salesStartAt', 'salesEndAt', 'startsAt', 'endsAt'] as const
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
          </label>
        ))}
      </div>
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

/** As fields for a time write it. */
export function toField(time: string | null): string {
  if (time === null) return ''
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Null for an empty field. */
export const fromField = (field: string): string | null => (field === '' ? null : new Date(field).toISOString())
