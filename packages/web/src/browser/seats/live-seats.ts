import { type Signal, signal } from '@preact/signals'
import type { Place, PushMessage } from '@seatwise/client'
import type { Choosing } from './choosing.ts'
import type { SeatChange, SeatMapAnswer } from './seat-model.ts'

/** How often changes are polled without push, and with it: a push message may be lost. */
const POLL_MS = 2_500
const REPAIR_MS = 15_000

interface Delta {
  readonly version: number
  readonly changes?: readonly SeatChange[]
  readonly seats?: SeatMapAnswer['seats']
}

/** Keeps the seats true: by what is pushed, and by asking what changed since. Tells whether the server answers. */
export function followSeats(choosing: Choosing, place: Signal<Place | null>): Signal<boolean> {
  const isReached = signal(true)
  const { model, data } = choosing
  let pushedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const hear = (message: PushMessage): void => {
    if (!isSeats(message)) return
    const { from, version, changes, more } = message
    if (from !== model.version) return void plan(200)
    choosing.hear(changes)
    if (more !== true) model.version = version
    pushedAt = Date.now()
  }
  const ask = async (): Promise<void> => {
    try {
      const answer = await fetch(`/api/events/${data.event.id}/seats?since=${model.version}`)
      if (!answer.ok) throw new Error(`${answer.status}`)
      const delta = (await answer.json()) as Delta
      choosing.hear(delta.changes ?? delta.seats ?? [])
      model.version = delta.version
      isReached.value = true
    } catch {
      isReached.value = false
    }
    plan(Date.now() - pushedAt < REPAIR_MS ? REPAIR_MS : POLL_MS)
  }
  const plan = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void (document.hidden ? plan(POLL_MS) : ask()), ms * (0.8 + 0.4 * Math.random()))
  }
  place.subscribe((live) => live?.onMessage(hear))
  plan(POLL_MS)
  return isReached
}

/** The push contract says what a message of this type holds. */
const isSeats = (message: PushMessage): message is SeatsMessage => message.type === 'SEATS'

interface SeatsMessage extends PushMessage {
  readonly from: number
  readonly version: number
  readonly changes: readonly SeatChange[]
  readonly more?: boolean
}
