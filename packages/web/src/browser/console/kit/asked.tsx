import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { tell, words } from './page.ts'

/*
 * What is in force and what is only asked for never look alike: the value in force stands beside every control as text,
 * and a control with another value is framed and marked until it is applied.
 */

/** What is in force; with the mark where something else is asked for. */
export function InForce({ value, isAsked }: { value: string; isAsked: boolean }): VNode {
  return (
    <span class="hint in-force">
      <span>{tell(words.controls.inForce, { value })}</span>
      {isAsked && <NotApplied />}
    </span>
  )
}

export function NotApplied(): VNode {
  return <b class="not-applied">{words.controls.notApplied}</b>
}

/** The class of a control: framed while it shows something that does not count yet. */
export const askedClass = (isAsked: boolean): string => (isAsked ? 'asked' : '')

/** An operator who leaves with something not applied is asked by the browser whether to. */
export function useLeaveWarning(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return undefined
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isAsked])
}
