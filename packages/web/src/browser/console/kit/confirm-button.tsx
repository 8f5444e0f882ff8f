import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { explain } from './api.ts'
import { words } from './page.ts'

/** A button for what cannot be taken back: it asks once more, in a sentence that says what happens. */
export function ConfirmButton(props: {
  label: string
  question: string
  yes: string
  onYes: () => Promise<unknown>
}): VNode {
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState('')
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isAsking) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isAsking])
  const go = (): void => {
    props.onYes().then(
      () => setAsking(false),
      (error) => setProblem(explain(error)),
    )
  }
  return (
    <>
      <button type="button" class="small-button" onClick={() => setAsking(true)}>
        {props.label}
      </button>
      {isAsking && (
        <dialog ref={dialog} aria-label={props.label} onClose={() => setAsking(false)}>
          <p>{props.question}</p>
          {problem !== '' && (
            <p class="notice bad" role="alert">
              {problem}
            </p>
          )}
          <p class="actions">
            <button type="button" class="main" onClick={go}>
              {props.yes}
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              {words.controls.cancel}
            </button>
          </p>
        </dialog>
      )}
    </>
  )
}
