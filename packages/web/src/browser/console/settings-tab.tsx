import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, explain } from './api.ts'
import { BrandForm } from './brand-form.tsx'
import { page, words } from './page.ts'
import { act, base, pulse } from './sale-state.ts'

/** Pace and capacity are in the controls; these are for quieter hours. */
const NUMBERS = [
  ...(['burst', 'claimSeconds', 'sessionSeconds', 'reservationSeconds', 'heartbeatTimeoutSeconds'] as const),
  ...(['graceSeconds', 'maxWaiting', 'maxSeatsPerBuyer', 'guestsPerAddress'] as const),
]
const SWITCHES = ['guests', 'stockAware', 'keepLineWhenSoldOut', 'reserveOnAdmit', 'presence'] as const

export function SettingsTab(): VNode {
  return (
    <div class="stack editor">
      <RoomForm />
      {page.mayChange && <BrandForm />}
    </div>
  )
}

function RoomForm(): VNode | null {
  const [said, setSaid] = useState('')
  const now = pulse.value
  if (now === null) return null
  const { settings } = now
  const save = (form: HTMLFormElement): void => {
    const fields = new FormData(form)
    const wanted: Record<string, unknown> = { priorityMode: fields.get('priorityMode') }
    for (const name of NUMBERS) wanted[name] = Number(fields.get(name))
    for (const name of SWITCHES) wanted[name] = fields.get(name) === 'on'
    const changed = Object.entries(wanted).filter(([name, value]) => settings[name] !== value)
    if (changed.length === 0) {
      setSaid(words.settings.nothing)
      return
    }
    act(call('PATCH', `${base}/room`, Object.fromEntries(changed))).then(
      () => setSaid(words.settings.saved),
      (error) => setSaid(explain(error)),
    )
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save(event.currentTarget)
      }}
    >
      <p>{words.settings.lead}</p>
      <fieldset class="fields" disabled={!page.mayChange}>
        <legend class="heard">{words.tabs.settings}</legend>
        {NUMBERS.map((name) => (
          <label key={name} class="field">
            {words.settings[name]}
            <input name={name} type="number" min={0} required defaultValue={String(settings[name])} />
          </label>
        ))}
        <label class="field">
          {words.settings.priorityMode}
          <select name="priorityMode" defaultValue={String(settings.priorityMode)}>
            <option value="skip">{words.settings.skip}</option>
            <option value="lanes">{words.settings.lanes}</option>
          </select>
        </label>
        {SWITCHES.map((name) => (
          <label key={name} class="switch">
            <input name={name} type="checkbox" defaultChecked={settings[name] === true} />
            {words.settings[name]}
          </label>
        ))}
      </fieldset>
      <p role="status">{said}</p>
      {page.mayChange && (
        <p>
          <button type="submit" class="main">
            {words.settings.save}
          </button>
        </p>
      )}
    </form>
  )
}
