import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FoundReservation } from '../kit/answers.ts'
import { call, explain, Refused } from '../kit/api.ts'
import { formatMoney } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'
import { act } from '../sale/sale-state.ts'

/** Refunds the chosen seats of a purchase. Seats that a visitor was let in with are asked about once more. */
export function RefundButton({ item }: { item: FoundReservation }): VNode {
  const [isAsking, setAsking] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isAsking) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isAsking])
  return (
    <>
      <button type="button" class="small-button" onClick={() => setAsking(true)}>
        {words.reservations.refund}
      </button>
      {isAsking && (
        <dialog ref={dialog} aria-label={words.reservations.refund} onClose={() => setAsking(false)}>
          <RefundForm item={item} onDone={() => setAsking(false)} />
        </dialog>
      )}
    </>
  )
}

function RefundForm({ item, onDone }: { item: FoundReservation; onDone: () => void }): VNode {
  const { buyer, purchase, currency } = item
  const left = item.items.filter(({ seatId }) => !purchase?.refundedSeatIds.includes(seatId))
  const [chosen, setChosen] = useState<readonly string[]>(left.map(({ seatId }) => seatId))
  const [keepFees, setKeepFees] = useState(false)
  const [isUsed, setUsed] = useState(false)
  const [problem, setProblem] = useState('')
  const amount = left.reduce((sum, { seatId, paid }) => sum + (chosen.includes(seatId) ? paid : 0), 0)
  const name = buyer.name ?? buyer.email ?? words.tables.guest
  const turn = (seatId: string): void =>
    setChosen((before) => (before.includes(seatId) ? before.filter((id) => id !== seatId) : [...before, seatId]))
  const refund = (): void => {
    const body = {
      ...(chosen.length === left.length ? {} : { seatIds: chosen }),
      ...(keepFees && { keepFees }),
      ...(isUsed && { evenIfUsed: true }),
    }
    act(call('POST', `/api/purchases/${purchase?.id}/refund`, body)).then(onDone, (error) => {
      const asksTwice = error instanceof Refused && error.code === 'ALREADY_USED'
      setUsed(asksTwice)
      setProblem(asksTwice ? words.reservations.used : explain(error))
    })
  }
  return (
    <>
      <p>{tell(words.reservations.refundQuestion, { amount: formatMoney(amount, currency), name })}</p>
      {left.length > 1 && (
        <fieldset class="choices">
          <legend>{words.reservations.whichSeats}</legend>
          {left.map(({ seatId, row, number }) => (
            <label key={seatId}>
              <input type="checkbox" checked={chosen.includes(seatId)} onChange={() => turn(seatId)} />{' '}
              {row === null ? words.reservations.standingSeat : `${row} ${number}`}
            </label>
          ))}
        </fieldset>
      )}
      <label>
        <input
          type="checkbox"
          name="keepFees"
          checked={keepFees}
          onChange={({ currentTarget }) => setKeepFees(currentTarget.checked)}
        />{' '}
        {words.reservations.keepFees}
      </label>
      {problem !== '' && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <p class="actions">
        <button type="button" class="main" disabled={chosen.length === 0} onClick={refund}>
          {isUsed ? words.reservations.usedYes : words.reservations.refundYes}
        </button>
        <button type="button" onClick={onDone}>
          {words.controls.cancel}
        </button>
      </p>
    </>
  )
}
