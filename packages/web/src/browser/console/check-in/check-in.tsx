import { findListed, type ListedTicket, readShortCode } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { explain, Refused } from '../kit/api.ts'
import { formatClock } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { tell, words } from '../kit/page.ts'
import { hasCamera, readCodes } from './camera.ts'
import { DoorDesk, type Found } from './door-desk.ts'
import { Connection, DoorStatus } from './door-status.tsx'
import { data, entrance, nameHolder } from './door-words.ts'
import { FoundTickets } from './found-tickets.tsx'
import { Troubled } from './troubled.tsx'

const says = words.checkIn
const SHOWN_MAX = 20
const FOUND_MAX = 20
const SEARCH_LENGTH_MIN = 2
const DOOR_KEY = 'seatwise-door'

interface Scan {
  readonly id: number
  readonly at: Date
  readonly isIn: boolean
  readonly text: string
  readonly seat: string
}

const desk = new DoorDesk(data.eventId, localStorage.getItem(DOOR_KEY) ?? entrance.mainDoor)

/** Lets people in at the door, one after the other, with both hands on something else. */
export function CheckIn(): VNode {
  const [scans, setScans] = useState<readonly Scan[]>([])
  const [count, setCount] = useState(0)
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => void desk.start(), [])
  const add = (scan: Omit<Scan, 'id' | 'at'>): void => {
    setScans((before) => [{ ...scan, id: (before[0]?.id ?? 0) + 1, at: new Date() }, ...before].slice(0, SHOWN_MAX))
    if (scan.isIn) setCount((before) => before + 1)
    // Felt in the hand where the screen cannot be seen.
    navigator.vibrate?.(scan.isIn ? 60 : [120, 60, 120])
  }
  const check = (code: string): void => {
    setTyped('')
    // A typed code is short, a scanned one long.
    desk.check(readShortCode(code) === null ? { code } : { shortCode: code }).then(
      (found) => add(describe(found)),
      (error) => add({ isIn: false, text: explainScan(error), seat: '' }),
    )
  }
  const found = search(typed)
  const [last, ...others] = scans
  return (
    <div class="stack">
      <Connection desk={desk} />
      <form
        class="finder"
        onSubmit={(event) => {
          event.preventDefault()
          const code = typed.trim()
          // What finds names is a name: asking the server about it would only count as a wrong code.
          if (code === '' || (found !== null && found.length > 0)) return
          check(code)
          field.current?.focus()
        }}
      >
        <label class="field">
          {entrance.code}
          <input
            ref={field}
            name="code"
            autofocus
            autocomplete="off"
            spellcheck={false}
            maxLength={2_048}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          {says.check}
        </button>
      </form>
      {found !== null && <FoundTickets tickets={found} max={FOUND_MAX} desk={desk} onChoose={check} />}
      <CameraPart onCode={check} />
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
      <Troubled desk={desk} />
      <DoorStatus desk={desk} onDoor={(door) => localStorage.setItem(DOOR_KEY, door)} />
    </div>
  )
}

/** The e-tickets that a typed name means; null for what is a code, or where there is no list. */
function search(typed: string): ListedTicket[] | null {
  const list = desk.list.value
  const text = typed.trim()
  if (list === null || text.length < SEARCH_LENGTH_MIN || text.includes('.')) return null
  const shortCode = readShortCode(text)
  if (shortCode !== null && list.byShortCode.has(shortCode)) return null
  const found = findListed(list.tickets.values(), text, FOUND_MAX)
  return shortCode !== null && found.length === 0 ? null : found
}

function CameraPart({ onCode }: { onCode: (code: string) => void }): VNode {
  const [isFilming, setFilming] = useState(false)
  const [problem, setProblem] = useState('')
  if (!hasCamera()) return <p class="hint">{says.noCamera}</p>
  return (
    <>
      <p>
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
      </p>
      {problem !== '' && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {isFilming && (
        <Camera
          onCode={onCode}
          onProblem={() => {
            setFilming(false)
            setProblem(says.cameraRefused)
          }}
        />
      )}
    </>
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

function describe(found: Found): Omit<Scan, 'id' | 'at'> {
  if (found.by === 'server') return { isIn: true, text: says.letIn, seat: nameHolder(found.seat, found.holder) }
  if (found.by === 'nobody') return { isIn: false, text: TEXTS[found.why], seat: '' }
  const { verdict, ticket } = found
  const listAt = desk.list.value?.at
  const byList = listAt === undefined ? '' : tell(entrance.byList, { at: formatClock(listAt) })
  const seat = [...(ticket === null ? [] : [nameHolder(ticket, ticket.holder)]), byList].join(' · ')
  switch (verdict.is) {
    case 'in':
      return { isIn: true, text: says.letIn, seat }
    case 'used':
      return { isIn: false, text: tell(says.used, { at: formatClock(verdict.at) }), seat }
    case 'void':
      return { isIn: false, text: entrance.transferred, seat }
    case 'unknown':
      return { isIn: false, text: says.unknown, seat: byList }
  }
}

const TEXTS = {
  'no-list': entrance.offlineNoList,
  'not-ours': says.notOurs,
  'other-event': says.otherEvent,
  'old-code': entrance.oldCode,
} as const

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
