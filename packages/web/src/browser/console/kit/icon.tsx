import type { VNode } from 'preact'
import { ICONS, type IconName } from '../../../icons.ts'

/** Decoration beside words. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={ICONS[name]} />
    </svg>
  )
}
