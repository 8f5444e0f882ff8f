import { isTimeZone } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../kit/page.ts'

/** The zone of the venue. Only a zone that exists is passed on; anything else gives way when the field is left. */
export function ZoneField({ zone, onZone }: { zone: string; onZone: (zone: string) => void }): VNode {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <label class="field">
      {words.edit.timeZone}
      <input
        name="timeZone"
        list="time-zones"
        required
        maxLength={64}
        autocomplete="off"
        value={typed ?? zone}
        aria-describedby="zone-hint"
        onInput={({ currentTarget: field }) => {
          const name = field.value.trim()
          setTyped(field.value)
          field.setCustomValidity(isTimeZone(name) ? '' : words.edit.badZone)
          if (isTimeZone(name)) onZone(name)
        }}
        onBlur={({ currentTarget: field }) => {
          field.setCustomValidity('')
          setTyped(null)
        }}
      />
      <datalist id="time-zones">
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  )
}
