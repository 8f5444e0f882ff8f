import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../kit/api.ts'
import { ConfirmButton } from '../kit/confirm-button.tsx'
import { formatMoney } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { act, base } from '../sale/sale-state.ts'

interface Sales {
  sold: number
  held: number
  revenue: { currency: string; amount: number }[]
}

interface Progress {
  status: 'running' | 'done'
  orders: number
  refunded: number
  failed: number
  told: number
}

const PROGRESS_MS = 2_000
const MESSAGE_LENGTH_MAX = 2_000

/** Cancels the whole event: shows the effect first, then how far the refunds are. */
export function CancelEvent(): VNode | null {
  const event = useAnswer<{ state: string }>(base, null)
  if (event.answer === null) return null
  return (
    <section class="stack">
      <h2>{words.cancelling.title}</h2>
      {event.answer.state === 'cancelled' ? <Progressing /> : <Ask onDone={event.again} />}
    </section>
  )
}

function Ask({ onDone }: { onDone: () => void }): VNode | null {
  const [message, setMessage] = useState('')
  const { answer: sales } = useAnswer<Sales>(`${base}/sales`, null)
  if (sales === null) return null
  const { sold, held } = sales
  const amount = sales.revenue.map((one) => formatMoney(one.amount, one.currency)).join(', ')
  const cancel = (): Promise<void> => act(call('POST', `${base}/cancel`, { message })).then(onDone)
  return (
    <>
      <p>{words.cancelling.lead}</p>
      <p>{tell(words.cancelling.effect, { sold, held, amount })}</p>
      <label>
        {words.cancelling.message}
        <textarea
          name="cancelMessage"
          rows={3}
          maxLength={MESSAGE_LENGTH_MAX}
          value={message}
          onInput={({ currentTarget }) => setMessage(currentTarget.value)}
        />
      </label>
      {message.trim() !== '' && (
        <p class="actions">
          <ConfirmButton
            label={words.cancelling.cancel}
            question={tell(words.cancelling.question, { sold, amount })}
            yes={words.cancelling.yes}
            onYes={cancel}
          />
        </p>
      )}
    </>
  )
}

function Progressing(): VNode | null {
  const { answer } = useAnswer<Progress>(`${base}/cancel`, PROGRESS_MS)
  if (answer === null) return null
  const { status, orders, refunded, told, failed } = answer
  return (
    <div role="status">
      <p>{words.cancelling.cancelled}</p>
      <p>
        <progress max={Math.max(orders, 1)} value={orders === 0 ? 1 : refunded} aria-label={words.cancelling.title} />
      </p>
      <p>{tell(words.cancelling.progress, { refunded, orders, told, failed })}</p>
      {status === 'done' && <p>{words.cancelling.done}</p>}
    </div>
  )
}
