import type { VNode } from 'preact'
import { useId, useState } from 'preact/hooks'

interface NumberProps {
  readonly label: string
  /** The number that counts. */
  readonly value: number
  readonly min: number
  readonly max: number
  /** `any` for numbers with a fraction. */
  readonly step?: number | 'any'
  readonly name?: string
  readonly onNumber: (value: number) => void
}

type InputProps = Omit<NumberProps, 'label'> & { id?: string; 'aria-label'?: string }

/** A number with its label. */
export function NumberField({ label, isNarrow, ...number }: NumberProps & { isNarrow?: boolean }): VNode {
  const id = useId()
  return (
    <label class={`field ${isNarrow ? 'narrow-field' : ''}`} for={id}>
      {label}
      <NumberInput {...number} id={id} />
    </label>
  )
}

/** The same where a table has the label. */
export function NumberCell({ label, ...number }: NumberProps): VNode {
  return <NumberInput {...number} aria-label={label} />
}

/**
 * A field for a number. Only a number within its bounds is passed on, 0 like any other; what is half typed, empty or
 * out of bounds is marked by the browser, and gives way to the number that counts when the field is left.
 */
export function NumberInput({ value, onNumber, ...attributes }: InputProps): VNode {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      class="number"
      type="number"
      required
      {...attributes}
      value={typed ?? String(value)}
      onInput={({ currentTarget: field }) => {
        setTyped(field.value)
        if (field.value !== '' && field.validity.valid) onNumber(field.valueAsNumber)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
