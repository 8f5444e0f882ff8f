import { readShortCode } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CheckInData } from '../../../pages/console/data.ts'
import { call, explain, Refused } from '../kit/api.ts'
import { formatClock } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { page, tell, words } from '../kit/page.ts'
import { hasCamera, readCodes } from './camera.ts'

const { eventId } = page as CheckInData
const says = words.checkIn
const SHOWN_MAX = 20

interface Scan {
  readonly id: number
  readonly at: Date
  readonly isIn: boolean
  readonly text: string
  readonly seat: string
}

interface LetIn {
  seat: { type: string; row: string | null; number: number | null }
  holder?: string | null
}

/** Lets people in at the door, one after the other, with both hands on something else. */
export function CheckIn(): VNode {
  const [scans, setScans] = useState<readonly Scan[]>([])
  const [count, setCount] = useState(0)
  const [isFilming, setFilming] = useState(false)
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const add = (scan: Omit<Scan, 'id' | 'at'>): void => {
    setScans((before) => [{ ...scan, id: (before[0]?.id ?? 0) + 1, at: new Date() }, ...before].slice(0, SHOWN_MAX))
    if (scan.isIn) setCount((before) => before + 1)
    // Felt in the hand where the screen cannot be seen.
    navigator.vibrate?.(scan.isIn ? 60 : [120, 60, 120])
  }
  const check = (code: string): void => {
    // A typed code is short, a scanned one long.
    const read = readShortCode(code) === null ? { code } : { shortCode: code }
    call<LetIn>('POST', '/api/checkin', { ...read, eventId }).then(
      ({ seat, holder = null }) =>
        add({ isIn: true, text: says.letIn, seat: [nameSeat(seat), ...(holder === null ? [] : [holder])].join(' · ') }),
      (error) => add({ isIn: false, text: explainScan(error), seat: '' }),
    )
  }
  const [last, ...others] = scans
  return (
    <div class="stack">
      <form
        class="finder"
        onSubmit={(event) => {
          event.preventDefault()
          const code = field.current?.value.trim() ?? ''
          if (code === '') return
          check(code)
          if (field.current !== null) field.current.value = ''
          field.current?.focus()
        }}
      >
        <label class="field">
          {says.code}
          <input ref={field} name="code" autofocus autocomplete="off" spellcheck={false} maxLength={2_048} />
        </label>
        <button type="submit" class="main">
          {says.check}
        </button>
        {hasCamera() && (
          <button
            type="button"
            onClick={() => {
              setProblem('')
              setFilming(!isFilming)
            }}
          >
            <Icon name="eye" />
            {isFilming ? says.stopCamera : says.camera}
          </button>
        )}
      </form>
      {!hasCamera() && <p class="hint">{says.noCamera}</p>}
      {problem !== '' && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {isFilming && (
        <Camera
          onCode={check}
          onProblem={() => {
            setFilming(false)
            setProblem(says.cameraRefused)
          }}
        />
      )}
      <div role="status" aria-live="assertive">
        {last !== undefined && (
          <div class={`scan ${last.isIn ? 'in' : 'out'}`}>
            <Icon name={last.isIn ? 'check' : 'close'} />
            <div>
              <p class="says">{last.text}</p>
              <p>{last.seat}</p>
            </div>
          </div>
        )}
      </div>
      {count > 0 && <p class="quiet">{tell(says.in, { count })}</p>}
      {others.length > 0 && <Recent scans={others} />}
    </div>
  )
}

function Recent({ scans }: { scans: readonly Scan[] }): VNode {
  return (
    <section class="stack">
      <h2 class="label">{says.recent}</h2>
      <ul class="checks">
        {scans.map((scan) => (
          <li key={scan.id} class={scan.isIn ? 'go' : 'no-go'}>
            <Icon name={scan.isIn ? 'check' : 'close'} />
            <span class="number">{formatClock(scan.at)}</span>
            <span>
              {scan.text} {scan.seat}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Camera({ onCode, onProblem }: { onCode: (code: string) => void; onProblem: () => void }): VNode {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current
    return element === null ? undefined : readCodes(element, onCode, onProblem)
  }, [])
  return <video ref={video} class="camera" muted playsInline />
}

function nameSeat({ type, row, number }: LetIn['seat']): string {
  return row === null || number === null ? type : tell(words.reservations.rowSeat, { type, row, seat: String(number) })
}

function explainScan(error: unknown): string {
  if (!(error instanceof Refused)) return explain(error)
  const { checkedInAt } = error.details
  switch (error.code) {
    case 'ALREADY_USED':
      return tell(says.used, { at: typeof checkedInAt === 'string' ? formatClock(checkedInAt) : '–' })
    case 'BAD_ETICKET':
      return says.notOurs
    case 'ETICKET_VOID':
      return says.void
    case 'WRONG_EVENT':
      return says.otherEvent
    case 'NOT_FOUND':
      return says.unknown
    default:
      return explain(error)
  }
}
