import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { StuckPayment } from '../kit/answers.ts'
import { call, explain } from '../kit/api.ts'
import { formatInstant, formatMoney } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { act, acts, base } from '../sale/sale-state.ts'

const LOOK_MS = 10_000

/** Payments that do not decide themselves. */
export function PaymentsTab(): VNode {
  const { answer, problem } = useAnswer<{ items: StuckPayment[] }>(`${base}/payments/stuck`, LOOK_MS, acts.value)
  const [said, setSaid] = useState('')
  if (answer === null) return <p role="status">{problem}</p>
  const resolve = (id: string, action: 'ask' | 'refund' | 'cancel'): void => {
    act(call<{ status: string }>('POST', `/api/purchases/${id}/resolve`, { action })).then(
      ({ status }) => setSaid(tell(words.payments.decided, { status })),
      (error) => setSaid(explain(error)),
    )
  }
  if (answer.items.length === 0) {
    return (
      <>
        <p role="status">{said}</p>
        <p>{words.payments.none}</p>
      </>
    )
  }
  return (
    <div class="stack">
      <p>{words.payments.lead}</p>
      <p role="status">{said}</p>
      <div class="table-scroll">
        <table>
          <caption class="heard">{words.tabs.payments}</caption>
          <thead>
            <tr>
              <th scope="col">{words.reservations.amount}</th>
              <th scope="col">{words.payments.since}</th>
              <th scope="col">{words.payments.why}</th>
              <th scope="col">
                <span class="heard">{words.tabs.payments}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {answer.items.map((payment) => (
              <tr key={payment.id}>
                <td class="number">{formatMoney(payment.amount, payment.currency)}</td>
                <td class="number">{formatInstant(payment.createdAt)}</td>
                <td>{payment.reason ?? payment.status}</td>
                <td class="actions">
                  {(['ask', 'refund', 'cancel'] as const).map((action) => (
                    <button key={action} type="button" class="small-button" onClick={() => resolve(payment.id, action)}>
                      {words.payments[action]}
                    </button>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
