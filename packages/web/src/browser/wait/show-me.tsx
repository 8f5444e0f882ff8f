import { useState } from 'preact/hooks'
import type { WaitFacts } from '../../views/wait-view.ts'
import { say } from '../../words/say.ts'

const NAME_LENGTH_MAX = 40

export interface ShowMeProps {
  readonly facts: WaitFacts
  /** As whom those around see the visitor; null while they see a dot. */
  readonly shownAs: string | null
  /** What the field begins with. */
  readonly name: string | null
  showAs(name: string | null): Promise<void>
}

/** A name is shown only on request, and can be hidden again. */
export function ShowMe({ facts: { language, words }, shownAs, name, showAs }: ShowMeProps) {
  const [problem, setProblem] = useState(false)
  const send = (wanted: string | null): void => {
    setProblem(false)
    showAs(wanted).catch(() => setProblem(true))
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget as HTMLFormElement).get('name')
    send(shownAs === null ? String(typed).trim() : null)
  }
  return (
    <details class="show-me">
      <summary>{words.showMe}</summary>
      <form onSubmit={submit}>
        {shownAs === null ? (
          <label class="field">
            {words.showName}
            <input name="name" required maxLength={NAME_LENGTH_MAX} autocomplete="nickname" defaultValue={name ?? ''} />
          </label>
        ) : (
          <p role="status">{say(language, words.shownAs, { name: shownAs })}</p>
        )}
        <button type="submit">{shownAs === null ? words.showDo : words.hideMe}</button>
        {problem && (
          <p class="notice bad" role="alert">
            {words.failed}
          </p>
        )}
      </form>
    </details>
  )
}
