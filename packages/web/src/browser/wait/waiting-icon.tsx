import { WAITING_ICONS, type WaitingIcon } from '../../icons-of-waiting.ts'

/** The same line icons as in the shell. */
export function Icon({ name }: { name: WaitingIcon }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={WAITING_ICONS[name]} />
    </svg>
  )
}
