import { EVENT_LIMITS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { minorDigits } from '../../kit/format.ts'
import { Icon } from '../../kit/icon.tsx'
import { NumberField } from '../../kit/number-field.tsx'
import { words } from '../../kit/page.ts'
import type { PlanType } from './plan.ts'

/** Price categories: name, price, and how many where seats have no numbers. */
export function TypeList(props: {
  plan: readonly PlanType[]
  onChange: (key: string, change: Partial<PlanType>) => void
  onRemove: (key: string) => void
}): VNode {
  const { plan, onChange, onRemove } = props
  return (
    <ul class="types">
      {plan.map((type, index) => (
        <li key={type.key} class="type-fields">
          <span class={`swatch look-${index % 6}`} aria-hidden="true" />
          <TypeFields type={type} onChange={(change) => onChange(type.key, change)} />
          <button
            type="button"
            class="small-button"
            disabled={plan.length === 1}
            aria-label={`${words.edit.removeType}: ${type.name}`}
            onClick={() => onRemove(type.key)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function TypeFields({ type, onChange }: { type: PlanType; onChange: (change: Partial<PlanType>) => void }): VNode {
  const digits = minorDigits(type.currency)
  return (
    <>
      <label class="field">
        {words.edit.typeName}
        <input
          required
          maxLength={200}
          name="typeName"
          value={type.name}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
      </label>
      <NumberField
        label={words.edit.price}
        name="price"
        min={0}
        max={EVENT_LIMITS.price / 10 ** digits}
        step={10 ** -digits}
        value={type.price / 10 ** digits}
        onNumber={(price) => onChange({ price: Math.round(price * 10 ** digits) })}
      />
      <label class="field narrow-field">
        {words.edit.currency}
        <input
          required
          name="currency"
          pattern="[A-Z]{3}"
          maxLength={3}
          value={type.currency}
          onInput={(event) => onChange({ currency: event.currentTarget.value.toUpperCase() })}
        />
      </label>
      <label class="field">
        {words.edit.kind}
        <select
          disabled={type.id !== null}
          value={type.isNumbered ? 'numbered' : 'standing'}
          onChange={(event) => onChange({ isNumbered: event.currentTarget.value === 'numbered', area: null })}
        >
          <option value="numbered">{words.edit.numbered}</option>
          <option value="standing">{words.edit.standing}</option>
        </select>
      </label>
      {!type.isNumbered && (
        <NumberField
          label={words.edit.quantity}
          name="quantity"
          min={0}
          max={EVENT_LIMITS.seats}
          value={type.quantity}
          onNumber={(quantity) => onChange({ quantity })}
        />
      )}
      <label class="check">
        <input
          type="checkbox"
          name="hidden"
          checked={type.isHidden}
          onChange={(event) => onChange({ isHidden: event.currentTarget.checked })}
        />
        {words.edit.hidden}
      </label>
    </>
  )
}
