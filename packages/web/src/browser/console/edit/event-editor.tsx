import type { AfterSale, AfterSaleBody, Checkout, CheckoutBody, PlanShape } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { EditData } from '../../../pages/console/data.ts'
import { call, explain } from '../kit/api.ts'
import { NotApplied, useLeaveWarning } from '../kit/asked.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { page, tell, words } from '../kit/page.ts'
import { fromField, ownZone, toField } from '../kit/venue-clock.ts'
import { type AfterDraft, afterDraftOf, inZone, writeAfter } from './after-draft.ts'
import { AfterEditor } from './after-editor.tsx'
import { type CheckoutDraft, draftOf, writeCheckout } from './checkout-draft.ts'
import { CheckoutEditor } from './checkout-editor.tsx'
import { EventFacts, type FactName, type Facts, TIMES } from './event-facts.tsx'
import { type PlanType, planFrom, repeatedRow, shapesFrom, type WireType } from './plan/plan.ts'
import { PlanEditor } from './plan/plan-editor.tsx'
import { writePlan, writeShapes } from './plan/plan-wire.ts'
import type { Sketch } from './plan/sketch.ts'

interface WireEvent {
  readonly id: string
  readonly name: string
  readonly code: string | null
  readonly description: string
  readonly location: string
  readonly timeZone: string
  readonly startsAt: string | null
  readonly endsAt: string | null
  readonly doorsAt: string | null
  readonly ageMin: number | null
  readonly presaleStartAt: string | null
  readonly salesStartAt: string
  readonly salesEndAt: string
  readonly seatTypes: WireType[]
  readonly shapes: PlanShape[]
  readonly checkout: Checkout
  readonly after: AfterSale
}

const data = page as EditData
const DAY_MS = 86_400_000
const DEFAULTS = { capacity: 100, ratePerMinute: 600, guests: true }

/** Makes an event, or changes one. */
export function EventEditor(): VNode {
  const [event, setEvent] = useState(data.event as WireEvent | null)
  const [facts, setFacts] = useState<Facts>(() => factsOf(event))
  const [room, setRoom] = useState(DEFAULTS)
  const [sketch, setSketch] = useState<Sketch>(() => sketchOf(event))
  const [asked, setAsked] = useState<CheckoutDraft>(() => draftOf(event?.checkout))
  const [after, setAfter] = useState<AfterDraft>(() => afterOf(event))
  const [said, setSaid] = useState<{ text: string; isBad: boolean } | null>(null)
  // Nothing can be typed while it is sent: the answer fills the form anew.
  const [isSaving, setSaving] = useState(false)
  const saved = useMemo(
    () => JSON.stringify([factsOf(event), sketchOf(event), draftOf(event?.checkout), afterOf(event)]),
    [event],
  )
  const isAsked = event !== null && JSON.stringify([facts, sketch, asked, after]) !== saved
  useLeaveWarning(isAsked)
  const save = (): void => {
    const problem = problemOf(facts, sketch.types)
    if (problem !== null) {
      setSaid({ text: problem, isBad: true })
      return
    }
    // What was said about the last time is no longer true of this one.
    setSaid(null)
    setSaving(true)
    const parts = { checkout: writeCheckout(asked), after: writeAfter(after, facts.timeZone) }
    const drawn = { seatTypes: writePlan(sketch.types, sketchOf(event).types), shapes: writeShapes(sketch.shapes) }
    const body = { ...bodyOf(facts), ...parts, ...drawn }
    const saving =
      event === null
        ? call<WireEvent>('POST', '/api/events', { ...body, room })
        : call<WireEvent>('PATCH', `/api/events/${event.id}`, changesOf(body, event))
    saving.then(
      (saved) => {
        if (event === null) return location.assign(`/console/events/${saved.id}#ready`)
        setSaving(false)
        setEvent(saved)
        setFacts(factsOf(saved))
        setSketch(sketchOf(saved))
        setAsked(draftOf(saved.checkout))
        setAfter(afterOf(saved))
        setSaid({ text: words.edit.saved, isBad: false })
      },
      (error) => {
        setSaving(false)
        setSaid({ text: explain(error), isBad: true })
      },
    )
  }
  return (
    <form
      class="stack editor"
      inert={isSaving}
      onSubmit={(submit) => {
        submit.preventDefault()
        save()
      }}
    >
      <EventFacts
        facts={facts}
        onFact={(name, value) => {
          setFacts(withFact(facts, name, value, event !== null))
          if (name === 'timeZone' && event !== null) setAfter(inZone(after, facts.timeZone, value))
        }}
      />
      {event === null && <RoomFields room={room} onRoom={setRoom} />}
      <PlanEditor sketch={sketch} onSketch={setSketch} />
      <CheckoutEditor draft={asked} onDraft={setAsked} />
      <AfterEditor draft={after} currency={sketch.types[0]?.currency ?? 'EUR'} onDraft={setAfter} />
      <div role="status">{said !== null && <p class={`notice ${said.isBad ? 'bad' : 'good'}`}>{said.text}</p>}</div>
      <p class="actions">
        <button type="submit" class="main">
          {event === null ? words.edit.create : words.edit.save}
        </button>
        {isAsked && <NotApplied />}
      </p>
    </form>
  )
}

type RoomWish = typeof DEFAULTS

function RoomFields({ room, onRoom }: { room: RoomWish; onRoom: (room: RoomWish) => void }): VNode {
  return (
    <fieldset class="stack">
      <legend>
        <h2>{words.edit.room}</h2>
      </legend>
      <div class="fields">
        {(['capacity', 'ratePerMinute'] as const).map((name) => (
          <NumberField
            key={name}
            name={name}
            label={words.edit[name]}
            min={1}
            max={1_000_000}
            value={room[name]}
            onNumber={(value) => onRoom({ ...room, [name]: value })}
          />
        ))}
        <label class="switch">
          <input
            type="checkbox"
            name="guests"
            checked={room.guests}
            onChange={(event) => onRoom({ ...room, guests: event.currentTarget.checked })}
          />
          {words.edit.guests}
        </label>
      </div>
    </fieldset>
  )
}

const afterOf = (event: WireEvent | null): AfterDraft => afterDraftOf(event?.after, event?.timeZone ?? ownZone)

function factsOf(event: WireEvent | null): Facts {
  const inAnHour = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000)
  const { name = '', code = '', description = '', location: place = '', timeZone = ownZone } = event ?? {}
  return {
    ...{ name, code: code ?? '', description, location: place, timeZone },
    startsAt: toField(timeZone, event?.startsAt ?? null),
    endsAt: toField(timeZone, event?.endsAt ?? null),
    doorsAt: toField(timeZone, event?.doorsAt ?? null),
    ageMin: event?.ageMin == null ? '' : String(event.ageMin),
    presaleStartAt: toField(timeZone, event?.presaleStartAt ?? null),
    salesStartAt: toField(timeZone, event?.salesStartAt ?? inAnHour.toISOString()),
    salesEndAt: toField(timeZone, event?.salesEndAt ?? new Date(inAnHour.getTime() + DAY_MS).toISOString()),
  }
}

/** Another zone moves nothing that is announced already: its times are told by the new clock. */
function withFact(facts: Facts, name: FactName, value: string, isAnnounced: boolean): Facts {
  if (name !== 'timeZone' || !isAnnounced) return { ...facts, [name]: value }
  const times = TIMES.map((time) => [time, toField(value, fromField(facts.timeZone, facts[time]))])
  return { ...facts, ...Object.fromEntries(times), timeZone: value }
}

function sketchOf(event: WireEvent | null): Sketch {
  const first: WireType = { name: words.edit.numbered, price: 0, rows: [{ label: 'A', seats: 10 }] }
  return { types: planFrom(event?.seatTypes ?? [first]), shapes: shapesFrom(event?.shapes ?? []) }
}

function problemOf(facts: Facts, plan: readonly PlanType[]): string | null {
  const missing = (['name', 'salesStartAt', 'salesEndAt'] as const).filter((name) => facts[name].trim() === '')
  if (missing.length > 0)
    return tell(words.edit.missing, { fields: missing.map((name) => words.edit[name]).join(', ') })
  const skipped = TIMES.find((name) => facts[name] !== '' && fromField(facts.timeZone, facts[name]) === null)
  if (skipped !== undefined) return `${words.edit[skipped]}: ${words.edit.skipped}`
  if (facts.salesEndAt <= facts.salesStartAt) return words.edit.order
  const repeated = repeatedRow(plan)
  return repeated === null ? null : tell(words.edit.duplicateRow, { label: repeated })
}

function bodyOf(facts: Facts) {
  const { name, description, location: place, timeZone } = facts
  const instant = (time: (typeof TIMES)[number]): string | null => fromField(timeZone, facts[time])
  return {
    ...{ name, description, location: place, timeZone, code: facts.code.trim() === '' ? null : facts.code },
    ...{ startsAt: instant('startsAt'), endsAt: instant('endsAt'), doorsAt: instant('doorsAt') },
    ageMin: facts.ageMin.trim() === '' ? null : Number(facts.ageMin),
    presaleStartAt: instant('presaleStartAt'),
    ...{ salesStartAt: instant('salesStartAt'), salesEndAt: instant('salesEndAt') },
  }
}

/** Only what is different: a running sale refuses to hear of its beginning again, and fields for a time know no seconds. */
function changesOf(
  body: ReturnType<typeof bodyOf> & {
    checkout: CheckoutBody
    after: AfterSaleBody
    seatTypes: WireType[]
    shapes: PlanShape[]
  },
  event: WireEvent,
): object {
  const { seatTypes, shapes, checkout, after, ...facts } = body
  const isAfterAsBefore = JSON.stringify(after) === JSON.stringify(writeAfter(afterOf(event), event.timeZone))
  const isAskedAsBefore = JSON.stringify(checkout) === JSON.stringify(writeCheckout(draftOf(event.checkout)))
  const now = new Map<string, unknown>(Object.entries(event))
  const changed = Object.entries(facts).filter(([name, value]) => {
    const before = now.get(name)
    const areTimes = name.endsWith('At') && typeof before === 'string' && typeof value !== 'number'
    return areTimes ? toField(body.timeZone, before) !== toField(body.timeZone, value) : before !== value
  })
  return {
    ...Object.fromEntries(changed),
    ...(isAskedAsBefore ? {} : { checkout }),
    ...(isAfterAsBefore ? {} : { after }),
    ...{ seatTypes, shapes },
  }
}
