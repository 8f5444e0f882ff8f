import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, explain } from '../kit/api.ts'
import { askedClass, NotApplied, useLeaveWarning } from '../kit/asked.tsx'
import { words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { act, base } from '../sale/sale-state.ts'

interface Brand {
  colour: string | null
  logo: string | null
  text: string | null
}

/** The colour of the house, for those who have none of their own yet. */
const COLOUR = '#8a2b36'

/** How the waiting page looks: a colour, a picture and words. Nothing that runs. */
export function BrandForm(): VNode | null {
  const { answer } = useAnswer<Brand>(`${base}/brand`, null)
  const [saved, setSaved] = useState<Brand | null>(null)
  const [asked, setAsked] = useState<Brand | null>(null)
  const [said, setSaid] = useState('')
  const inForce = saved ?? answer
  const isAsked = asked !== null && JSON.stringify(asked) !== JSON.stringify(inForce && brandOf(inForce))
  useLeaveWarning(isAsked)
  if (answer === null) return null
  const save = (form: HTMLFormElement): void => {
    act(call<Brand>('PUT', `${base}/brand`, readBrand(form))).then(
      (brand) => {
        setSaved(brand)
        setAsked(null)
        setSaid(words.settings.saved)
      },
      (error) => setSaid(explain(error)),
    )
  }
  return (
    <form
      class={`stack ${askedClass(isAsked)}`}
      onInput={(event) => {
        setSaid('')
        setAsked(readBrand(event.currentTarget))
      }}
      onSubmit={(event) => {
        event.preventDefault()
        save(event.currentTarget)
      }}
    >
      <h3>{words.settings.look}</h3>
      <div class="fields">
        <label class="switch">
          <input name="ownColour" type="checkbox" defaultChecked={answer.colour !== null} />
          {words.settings.ownColour}
        </label>
        <label class="field">
          {words.settings.colour}
          <input name="colour" type="color" defaultValue={answer.colour ?? COLOUR} />
        </label>
        <label class="field">
          {words.settings.logo}
          <input name="logo" type="url" maxLength={512} placeholder="https://" defaultValue={answer.logo ?? ''} />
        </label>
      </div>
      <label class="field">
        {words.settings.text}
        <textarea name="text" rows={3} maxLength={2_000} defaultValue={answer.text ?? ''} />
      </label>
      <p role="status">{said}</p>
      <p class="actions">
        <button type="submit">{words.settings.saveLook}</button>
        {isAsked && <NotApplied />}
      </p>
    </form>
  )
}

function readBrand(form: HTMLFormElement): Brand {
  const fields = new FormData(form)
  const text = (name: string): string | null => {
    const typed = String(fields.get(name) ?? '').trim()
    return typed === '' ? null : typed
  }
  return { colour: fields.get('ownColour') === 'on' ? text('colour') : null, logo: text('logo'), text: text('text') }
}

/** Its fields in the order in which they are compared. */
const brandOf = ({ colour, logo, text }: Brand): Brand => ({ colour, logo, text })
