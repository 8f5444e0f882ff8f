import { CODE_LIMITS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, explain } from '../kit/api.ts'
import { ConfirmButton } from '../kit/confirm-button.tsx'
import { formatCount, formatMoney, minorDigits } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { fromField, venueZone } from '../kit/venue-clock.ts'
import { act, acts, base } from '../sale/sale-state.ts'

const LOOK_MS = 10_000
const EFFECTS = ['percent', 'amountOff', 'price', 'none'] as const

interface WireCode {
  readonly id: string
  readonly code: string
  readonly percent: number | null
  readonly amountOff: number | null
  readonly price: number | null
  readonly access: boolean
  readonly uses: number
  readonly usesMax: number | null
  readonly endedAt: string | null
}

interface TypeOfEvent {
  readonly id: string
  readonly name: string
  readonly currency: string
}

/** Codes of the event: made here one by one or in bulk, listed with their uses, exported, and ended. */
export function EventCodes(): VNode {
  const event = useAnswer<{ seatTypes: TypeOfEvent[] }>(base, null)
  const { answer, problem } = useAnswer<{ items: WireCode[] }>(`${base}/codes?limit=500`, LOOK_MS, acts.value)
  const [said, setSaid] = useState('')
  const types = event.answer?.seatTypes ?? []
  const currency = types[0]?.currency ?? 'EUR'
  const make = (form: HTMLFormElement): void => {
    act(call<{ items: { code: string }[] }>('POST', `${base}/codes`, bodyOf(new FormData(form), currency))).then(
      ({ items }) => {
        form.reset()
        setSaid(tell(words.eventCodes.made, { count: items.length }))
      },
      (error) => setSaid(explain(error)),
    )
  }
  return (
    <section class="stack event-codes">
      <h2>{words.eventCodes.title}</h2>
      <p>{words.eventCodes.lead}</p>
      <CodeForm types={types} onMake={make} />
      <p role="status">{said === '' ? problem : said}</p>
      {answer !== null && answer.items.length > 0 && <CodeTable codes={answer.items} currency={currency} />}
      <p>
        <a class="button" href={`${base}/codes.csv`}>
          {words.trail.export}
        </a>
      </p>
    </section>
  )
}

function CodeForm({
  types,
  onMake,
}: {
  types: readonly TypeOfEvent[]
  onMake: (form: HTMLFormElement) => void
}): VNode {
  const number = (name: 'count' | 'usesMax' | 'perBuyerMax', max: number): VNode => (
    <label class="field">
      {words.eventCodes[name]}
      <input name={name} type="number" min={1} max={max} />
    </label>
  )
  return (
    <form
      class="finder"
      onSubmit={(event) => {
        event.preventDefault()
        onMake(event.currentTarget)
      }}
    >
      <label class="field">
        {words.eventCodes.code}
        <input name="code" maxLength={CODE_LIMITS.codeLength} autocomplete="off" />
      </label>
      {number('count', CODE_LIMITS.count)}
      <label class="field">
        {words.eventCodes.effect}
        <select name="effect">
          {EFFECTS.map((effect) => (
            <option key={effect} value={effect}>
              {words.eventCodes.effects[effect]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {words.eventCodes.value}
        <input name="value" type="number" min={0} step="any" />
      </label>
      {number('usesMax', CODE_LIMITS.uses)}
      {number('perBuyerMax', CODE_LIMITS.uses)}
      <label class="field">
        {words.codes.until}
        <input name="until" type="datetime-local" />
      </label>
      <label class="field">
        {words.eventCodes.types}
        <select name="types" multiple size={Math.min(4, Math.max(2, types.length))}>
          {types.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input name="access" type="checkbox" /> {words.eventCodes.access}
      </label>
      <button type="submit" class="main">
        {words.codes.make}
      </button>
    </form>
  )
}

function CodeTable({ codes, currency }: { codes: readonly WireCode[]; currency: string }): VNode {
  return (
    <div class="table-scroll">
      <table>
        <caption class="heard">{words.eventCodes.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.eventCodes.code}</th>
            <th scope="col">{words.eventCodes.effect}</th>
            <th scope="col">{words.eventCodes.uses}</th>
            <th scope="col">
              <span class="heard">{words.eventCodes.end}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {codes.map((code) => (
            <tr key={code.id}>
              <th scope="row">
                <code>{code.code}</code>
              </th>
              <td>{describe(code, currency)}</td>
              <td class="number">
                {formatCount(code.uses)}
                {code.usesMax === null ? '' : ` / ${formatCount(code.usesMax)}`}
              </td>
              <td class="actions">{code.endedAt === null ? <End code={code} /> : words.eventCodes.ended}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function End({ code: { id, code } }: { code: WireCode }): VNode {
  return (
    <ConfirmButton
      label={words.eventCodes.end}
      question={tell(words.eventCodes.endAsk, { code })}
      yes={words.eventCodes.end}
      onYes={() => act(call('DELETE', `${base}/codes/${id}`))}
    />
  )
}

function describe({ percent, amountOff, price, access }: WireCode, currency: string): string {
  const { effects } = words.eventCodes
  return [
    ...(percent === null ? [] : [`${effects.percent} ${percent}`]),
    ...(amountOff === null ? [] : [`${effects.amountOff} ${formatMoney(amountOff, currency)}`]),
    ...(price === null ? [] : [`${effects.price} ${formatMoney(price, currency)}`]),
    ...(access ? [words.eventCodes.access] : []),
  ].join(' · ')
}

/** Empty fields are left out; the server says what is missing. */
function bodyOf(fields: FormData, currency: string): Record<string, unknown> {
  const text = (name: string): string => String(fields.get(name) ?? '').trim()
  const effect = text('effect')
  const amount =
    effect === 'percent' ? Number(text('value')) : Math.round(Number(text('value')) * 10 ** minorDigits(currency))
  const types = fields.getAll('types').map(String)
  return {
    ...(text('code') === '' ? {} : { code: text('code') }),
    ...(text('count') === '' ? {} : { count: Number(text('count')) }),
    ...(effect === 'none' ? {} : { [effect]: amount }),
    ...(fields.get('access') === null ? {} : { access: true }),
    ...(types.length === 0 ? {} : { seatTypeIds: types }),
    ...(text('usesMax') === '' ? {} : { usesMax: Number(text('usesMax')) }),
    ...(text('perBuyerMax') === '' ? {} : { perBuyerMax: Number(text('perBuyerMax')) }),
    ...(text('until') === '' ? {} : { validUntil: fromField(venueZone, text('until')) }),
  }
}
