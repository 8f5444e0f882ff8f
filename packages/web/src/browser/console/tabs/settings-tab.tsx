import { ROOM_LIMITS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Pulse } from '../kit/answers.ts'
import { call, explain } from '../kit/api.ts'
import { askedClass, InForce, NotApplied, useLeaveWarning } from '../kit/asked.tsx'
import { formatCount } from '../kit/format.ts'
import { page, words } from '../kit/page.ts'
import { act, base, pulse, sale } from '../sale/sale-state.ts'
import { BrandForm } from './brand-form.tsx'
import { CancelEvent } from './cancel-event.tsx'
import { StartForm } from './start-form.tsx'

/** Pace and capacity are in the controls; these are for quieter hours. */
const NUMBERS = [
  ...(['burst', 'claimSeconds', 'sessionSeconds', 'reservationSeconds', 'heartbeatTimeoutSeconds'] as const),
  ...([
    'graceSeconds',
    'awaySeconds',
    'maxWaiting',
    'maxSeatsPerBuyer',
    'guestsPerAddress',
    'guestsPerDevice',
    'groupMax',
  ] as const),
]
const CHALLENGES = { off: 'challengeOff', auto: 'challengeAuto', always: 'challengeAlways' } as const
const ENTRIES = { anyone: 'entryAnyone', verified: 'entryVerified', invited: 'entryInvited' } as const
const SWITCHES = ['guests', 'stockAware', 'keepLineWhenSoldOut', 'reserveOnAdmit', 'presence'] as const

export function SettingsTab(): VNode {
  return (
    <div class="stack editor">
      <RoomForm />
      <StartForm />
      {page.mayChange && <BrandForm />}
      {page.mayChange && sale.kind === 'event' && <CancelEvent />}
    </div>
  )
}

function RoomForm(): VNode | null {
  const [said, setSaid] = useState('')
  const [, look] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const settings = pulse.value?.settings
  // Against what is in force now: another operator may have changed it since it was typed here.
  const asked = settings === undefined || form.current === null ? {} : changesIn(form.current, settings)
  const isAsked = (name: string): boolean => name in asked
  const isChanged = Object.keys(asked).length > 0
  useLeaveWarning(isChanged)
  if (settings === undefined) return null
  const save = (): void => {
    if (!isChanged) {
      setSaid(words.settings.nothing)
      return
    }
    act(call('PATCH', `${base}/room`, asked)).then(
      () => setSaid(words.settings.saved),
      (error) => setSaid(explain(error)),
    )
  }
  return (
    <form
      ref={form}
      class="stack"
      onInput={() => {
        setSaid('')
        look((times) => times + 1)
      }}
      onReset={() => requestAnimationFrame(() => look((times) => times + 1))}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <p>{words.settings.lead}</p>
      <fieldset class="fields" disabled={!page.mayChange}>
        <legend class="heard">{words.tabs.settings}</legend>
        {NUMBERS.map((name) => (
          <label key={name} class={`field ${askedClass(isAsked(name))}`}>
            {words.settings[name]}
            <input
              name={name}
              type="number"
              min={ROOM_LIMITS[name].min}
              max={ROOM_LIMITS[name].max}
              required
              defaultValue={String(settings[name])}
            />
            {isAsked(name) && <InForce value={formatCount(Number(settings[name]))} isAsked />}
          </label>
        ))}
        <label class={`field ${askedClass(isAsked('priorityMode'))}`}>
          {words.settings.priorityMode}
          <select name="priorityMode" defaultValue={String(settings.priorityMode)}>
            <option value="skip">{words.settings.skip}</option>
            <option value="lanes">{words.settings.lanes}</option>
          </select>
          {isAsked('priorityMode') && (
            <InForce value={words.settings[settings.priorityMode === 'lanes' ? 'lanes' : 'skip']} isAsked />
          )}
        </label>
        <label class={`field ${askedClass(isAsked('challenge'))}`}>
          {words.settings.challenge}
          <select name="challenge" defaultValue={challengeOf(settings)}>
            {Object.entries(CHALLENGES).map(([name, word]) => (
              <option key={name} value={name}>
                {words.settings[word]}
              </option>
            ))}
          </select>
          {isAsked('challenge') && <InForce value={words.settings[CHALLENGES[challengeOf(settings)]]} isAsked />}
        </label>
        <label class={`field ${askedClass(isAsked('entry'))}`}>
          {words.settings.entry}
          <select name="entry" defaultValue={entryOf(settings)}>
            {Object.entries(ENTRIES).map(([name, word]) => (
              <option key={name} value={name}>
                {words.settings[word]}
              </option>
            ))}
          </select>
          {isAsked('entry') && <InForce value={words.settings[ENTRIES[entryOf(settings)]]} isAsked />}
        </label>
        {SWITCHES.map((name) => (
          <label key={name} class={`switch ${askedClass(isAsked(name))}`}>
            <input name={name} type="checkbox" defaultChecked={settings[name] === true} />
            {words.settings[name]}
            {isAsked(name) && <NotApplied />}
          </label>
        ))}
      </fieldset>
      <p role="status">{said}</p>
      {page.mayChange && (
        <p class="actions">
          <button type="submit" class="main">
            {words.settings.save}
          </button>
          {isChanged && <button type="reset">{words.controls.cancel}</button>}
          {isChanged && <NotApplied />}
        </p>
      )}
    </form>
  )
}

function challengeOf({ challenge }: Pulse['settings']): keyof typeof CHALLENGES {
  return challenge === 'off' || challenge === 'always' ? challenge : 'auto'
}

function entryOf({ entry }: Pulse['settings']): keyof typeof ENTRIES {
  return entry === 'verified' || entry === 'invited' ? entry : 'anyone'
}

/** What the fields say and the room does not do yet. What is no number counts for nothing: the browser marks it. */
function changesIn(form: HTMLFormElement, settings: Pulse['settings']): Record<string, unknown> {
  const fields = new FormData(form)
  const wanted: Record<string, unknown> = {
    priorityMode: fields.get('priorityMode'),
    challenge: fields.get('challenge'),
    entry: fields.get('entry'),
  }
  for (const name of NUMBERS) if (fields.get(name) !== '') wanted[name] = Number(fields.get(name))
  for (const name of SWITCHES) wanted[name] = fields.get(name) === 'on'
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => settings[name] !== value))
}
