import { EVENT_LIMITS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { minorDigits } from '../kit/format.ts'
import { NumberField } from '../kit/number-field.tsx'
import { words } from '../kit/page.ts'
import type { AfterDraft } from './after-draft.ts'

interface Props {
  readonly draft: AfterDraft
  readonly currency: string
  readonly onDraft: (draft: AfterDraft) => void
}

/** Until when buyers may refund seats and pass e-tickets on, and what stays of a refund. */
export function AfterEditor({ draft, currency, onDraft }: Props): VNode {
  const digits = minorDigits(currency)
  return (
    <fieldset class="stack">
      <legend>
        <h2>{words.after.title}</h2>
      </legend>
      <p class="hint">{words.after.hint}</p>
      <div class="fields">
        {(['refundsUntil', 'transfersUntil'] as const).map((name) => (
          <label key={name} class="field">
            {words.after[name]}
            <input
              name={name}
              type="datetime-local"
              value={draft[name]}
              onInput={(event) => onDraft({ ...draft, [name]: event.currentTarget.value })}
            />
          </label>
        ))}
        <NumberField
          label={words.after.perTicket}
          name="refundPerTicket"
          min={0}
          max={EVENT_LIMITS.price / 10 ** digits}
          step={10 ** -digits}
          value={draft.perTicket / 10 ** digits}
          onNumber={(fee) => onDraft({ ...draft, perTicket: Math.round(fee * 10 ** digits) })}
        />
        <NumberField
          label={words.after.percent}
          name="refundPercent"
          min={0}
          max={EVENT_LIMITS.percent}
          step={0.001}
          value={draft.percent}
          onNumber={(percent) => onDraft({ ...draft, percent })}
        />
        <label class="switch">
          <input
            type="checkbox"
            name="refundKeepFees"
            checked={draft.keepFees}
            onChange={(event) => onDraft({ ...draft, keepFees: event.currentTarget.checked })}
          />
          {words.after.keepFees}
        </label>
        <NumberField
          label={words.after.offerMinutes}
          name="returnsOfferMinutes"
          min={EVENT_LIMITS.offerMinutesMin}
          max={EVENT_LIMITS.offerMinutesMax}
          value={draft.returnsOfferMinutes}
          onNumber={(returnsOfferMinutes) => onDraft({ ...draft, returnsOfferMinutes })}
        />
      </div>
    </fieldset>
  )
}
