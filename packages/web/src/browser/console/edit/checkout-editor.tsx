import { CHECKOUT_LIMITS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { Icon } from '../kit/icon.tsx'
import { tell, words } from '../kit/page.ts'
import { addQuestion, type CheckoutDraft, type QuestionDraft } from './checkout-draft.ts'

interface Props {
  readonly draft: CheckoutDraft
  readonly onDraft: (draft: CheckoutDraft) => void
}

/** What buyers are asked before they pay: names, terms, consent and questions. */
export function CheckoutEditor({ draft, onDraft }: Props): VNode {
  const change = (key: string, changed: Partial<QuestionDraft>): void =>
    onDraft({ ...draft, questions: draft.questions.map((one) => (one.key === key ? { ...one, ...changed } : one)) })
  return (
    <fieldset class="stack checkout-editor">
      <legend>
        <h2>{words.ask.title}</h2>
      </legend>
      <p class="hint">{words.ask.hint}</p>
      <Boxes draft={draft} onDraft={onDraft} />
      <Terms draft={draft} onDraft={onDraft} />
      {draft.questions.map((question, index) => (
        <QuestionFields
          key={question.key}
          number={index + 1}
          question={question}
          onChange={(changed) => change(question.key, changed)}
          onRemove={() => onDraft({ ...draft, questions: draft.questions.filter(({ key }) => key !== question.key) })}
        />
      ))}
      <p>
        <button
          type="button"
          name="addQuestion"
          disabled={draft.questions.length >= CHECKOUT_LIMITS.questions}
          onClick={() => onDraft(addQuestion(draft))}
        >
          {words.ask.add}
        </button>
      </p>
    </fieldset>
  )
}

function Boxes({ draft, onDraft }: Props): VNode {
  return (
    <div class="fields">
      {(['names', 'marketing'] as const).map((name) => (
        <label key={name} class="switch">
          <input
            type="checkbox"
            name={`checkout-${name}`}
            checked={draft[name]}
            onChange={(event) => onDraft({ ...draft, [name]: event.currentTarget.checked })}
          />
          {words.ask[name]}
        </label>
      ))}
    </div>
  )
}

function Terms({ draft, onDraft }: Props): VNode {
  return (
    <div class="fields">
      <label class="field">
        {words.ask.termsUrl}
        <input
          name="termsUrl"
          type="url"
          pattern="https://.+"
          maxLength={CHECKOUT_LIMITS.urlLength}
          value={draft.termsUrl}
          onInput={(event) => onDraft({ ...draft, termsUrl: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        {words.ask.termsLabel}
        <input
          name="termsLabel"
          maxLength={CHECKOUT_LIMITS.labelLength}
          value={draft.termsLabel}
          onInput={(event) => onDraft({ ...draft, termsLabel: event.currentTarget.value })}
        />
      </label>
    </div>
  )
}

function QuestionFields(props: {
  number: number
  question: QuestionDraft
  onChange: (changed: Partial<QuestionDraft>) => void
  onRemove: () => void
}): VNode {
  const { number, question, onChange, onRemove } = props
  const title = tell(words.ask.question, { number: String(number) })
  return (
    <fieldset class="stack">
      <legend>{title}</legend>
      <div class="fields">
        <label class="field">
          {words.ask.label}
          <input
            required
            name="questionLabel"
            maxLength={CHECKOUT_LIMITS.labelLength}
            value={question.label}
            onInput={(event) => onChange({ label: event.currentTarget.value })}
          />
        </label>
        <Select name="kind" options={['text', 'choice']} value={question.kind} onValue={(kind) => onChange({ kind })} />
        <Select name="per" options={['order', 'ticket']} value={question.per} onValue={(per) => onChange({ per })} />
        <label class="switch">
          <input
            type="checkbox"
            name="questionRequired"
            checked={question.required}
            onChange={(event) => onChange({ required: event.currentTarget.checked })}
          />
          {words.ask.required}
        </label>
        <button type="button" class="small-button" aria-label={`${words.ask.remove}: ${title}`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </div>
      {question.kind === 'choice' && (
        <label class="field">
          {words.ask.choices}
          <textarea
            required
            name="questionChoices"
            rows={3}
            maxLength={CHECKOUT_LIMITS.choices * (CHECKOUT_LIMITS.choiceLength + 1)}
            value={question.choices}
            onInput={(event) => onChange({ choices: event.currentTarget.value })}
          />
        </label>
      )}
    </fieldset>
  )
}

function Select<Value extends 'text' | 'choice' | 'order' | 'ticket'>(props: {
  name: 'kind' | 'per'
  options: readonly Value[]
  value: Value
  onValue: (value: Value) => void
}): VNode {
  const { name, options, value, onValue } = props
  return (
    <label class="field">
      {words.ask[name]}
      <select
        name={`question-${name}`}
        value={value}
        onChange={(event) => onValue(options.find((one) => one === event.currentTarget.value) ?? value)}
      >
        {options.map((one) => (
          <option key={one} value={one}>
            {words.ask[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
