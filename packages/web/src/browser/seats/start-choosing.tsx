import { signal } from '@preact/signals'
import { type Place, type PlaceState, resumePlace } from '@seatwise/client'
import { render } from 'preact'
import type { SeatsData } from '../../pages/seats.ts'
import { listening } from '../listening.ts'
import { showOwnTimes } from '../own-times.ts'
import { readPageData } from '../page-data.ts'
import { Choosing } from './choosing.ts'
import { followSeats } from './live-seats.ts'
import { type SeatMapAnswer, SeatModel } from './seat-model.ts'
import { SeatsScreen } from './seats-screen.tsx'

const LOAD_ATTEMPTS_MAX = 5

/** Turns the floor from a form into a map. Until the seats are here, it says that they are coming. */
export async function startChoosing(): Promise<void> {
  showOwnTimes()
  const data = readPageData<SeatsData>()
  const root = document.getElementById('seats')
  if (root === null) return
  root.textContent = data.words.seats.loading
  const place = signal<Place | null>(null)
  const [answer, found] = await Promise.all([
    load(data),
    resumePlace({ eventId: data.event.id, ...listening(), proof: 'cookie' }),
  ])
  if (found === null || found.state.status !== 'active') {
    location.assign(`/events/${data.event.id}/wait`)
    return
  }
  const own = data.place.reservation?.items.map(({ seatId }) => seatId) ?? []
  const choosing = new Choosing(data, new SeatModel(answer, own, data.event.shapes), () => place.value)
  found.on((state) => leaveWhenOver(data, state))
  place.value = found
  const isReached = followSeats(choosing, place)
  root.textContent = ''
  render(<SeatsScreen {...{ choosing, isReached, place }} />, root)
  // For those who measure how long visitors wait until they can choose.
  performance.mark('seats-usable')
}

/** A visitor who is no longer on the floor has nothing to choose; the waiting page says why, and what to do. */
function leaveWhenOver({ event }: SeatsData, { status }: PlaceState): void {
  if (status !== 'active') location.assign(`/events/${event.id}/wait`)
}

async function load({ event, code }: SeatsData): Promise<SeatMapAnswer> {
  const [answer, opened] = await Promise.all([
    loadSeats(event.id),
    code?.opens === true ? loadOpened(event.id, code.text) : null,
  ])
  if (opened === null) return answer
  const { seatTypes, seats } = answer
  return { ...answer, seatTypes: [...seatTypes, ...opened.seatTypes], seats: [...seats, ...opened.seats] }
}

/** The hidden seats that the visitor's code opens; null when it no longer does: the server says so when they reserve. */
async function loadOpened(eventId: string, code: string): Promise<Pick<SeatMapAnswer, 'seatTypes' | 'seats'> | null> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`/api/events/${eventId}/codes/check`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code }),
  })
  return answer.ok ? ((await answer.json()) as SeatMapAnswer) : null
}

async function loadSeats(eventId: string): Promise<SeatMapAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(`/api/events/${eventId}/seats`)
      if (!answer.ok) throw new Error(`The seats did not come: ${answer.status}`)
      return (await answer.json()) as SeatMapAnswer
    } catch (error) {
      if (attempt === LOAD_ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, attempt * 1_000))
    }
  }
}
