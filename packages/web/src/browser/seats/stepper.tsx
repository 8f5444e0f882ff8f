import { Icon } from '../icon.tsx'
import type { Choosing } from './choosing.ts'

/** One fewer, one more. */
export function Stepper({
  label,
  count,
  words,
  onStep,
}: {
  label: string
  count: number
  words: Choosing['words']
  onStep: (by: 1 | -1) => void
}) {
  return (
    <fieldset class="stepper" aria-label={label}>
      <button type="button" aria-label={`${words.fewer}: ${label}`} onClick={() => onStep(-1)}>
        <Icon name="minus" />
      </button>
      <output class="number">{count}</output>
      <button type="button" aria-label={`${words.moreSeats}: ${label}`} onClick={() => onStep(1)}>
        <Icon name="plus" />
      </button>
    </fieldset>
  )
}
