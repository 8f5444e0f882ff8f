import { joinLine, type Neighbor, type Place, type PlaceState, resumePlace } from '@seatwise/client'
import { render } from 'preact'
import { describeWait, type Outside, type WaitFacts } from '../../views/wait-view.ts'
import { loadLetters } from '../letters.ts'
import { listening } from '../listening.ts'
import { readPageData } from '../page-data.ts'
import { createAnnouncer } from './announce.ts'
import { createKeeper } from './keep-told.ts'
import { watchNeighbours } from './neighbours.ts'
import type { Handed } from './phone-code.tsx'
import { createSound } from './sound.ts'
import { callTheVisitor } from './turn.ts'
import { WaitScreen } from './wait-screen.tsx'

interface WaitData {
  readonly facts: WaitFacts
  readonly place: PlaceState | Outside
}

/** The time of the page is redrawn this often; nothing on it needs more. */
const TICK_MS = 1_000
/** Those without a place look again: the sale may open, or the line have room. */
const LOOK_AGAIN_MS = 30_000
const SPREAD_MS = 2_000

/** Takes over the waiting page: keeps it true, makes its buttons quick, and calls the visitor when it is their turn. */
export function startWaiting(): void {
  const { facts, place: first } = readPageData<WaitData>()
  const root = document.getElementById('wait')
  if (root === null) return
  const shown: Shown = { place: first, live: null, neighbours: new Map() }
  const keepTold = createKeeper(() => Date.now())
  const draw = (): void => {
    const place = keepTold(shown.place)
    render(<WaitScreen {...{ facts, sound, act, ...shown, place, now: Date.now() }} />, root)
  }
  const sound = createSound(draw)
  const announce = createAnnouncer()
  let lookAround = async (): Promise<void> => {}
  const follow = (live: Place): void => {
    const hear = (place: PlaceState): void => {
      if (isCalled(shown.place.status, place.status)) callTheVisitor(facts, sound)
      shown.place = afterTurn(shown.place, place)
      draw()
    }
    shown.live = live
    live.on(hear)
    hear(live.state)
    lookAround = watchNeighbours(live, (neighbours) => {
      shown.neighbours = neighbours
      draw()
    })
  }
  const act = createActs(
    facts,
    () => shown.live,
    follow,
    () => lookAround(),
    (solved) => {
      if (shown.place.status === 'outside') shown.place = { status: 'outside', why: 'challenge', solved }
      draw()
    },
  )

  draw()
  loadLetters()
  setInterval(() => {
    draw()
    announce(describeWait(facts, keepTold(shown.place), Date.now()))
  }, TICK_MS)
  if (first.status === 'outside') lookAgain(first, facts, () => act.join())
  else void resumePlace(optionsOf(facts)).then((found) => found !== null && follow(found))
  addEventListener('pageshow', (event) => {
    // The back button shows a cached page: refresh before the visitor relies on it.
    if (event.persisted) void shown.live?.refresh()
  })
}

/** What the page shows besides what never changes. Redrawn as a whole: it is small, and changes once a second. */
interface Shown {
  place: PlaceState | Outside
  live: Place | null
  neighbours: ReadonlyMap<number, Neighbor>
}

/** A visitor who saw the turn and did not go in missed it; the server only says that the time expired. */
function afterTurn(before: PlaceState | Outside, place: PlaceState): PlaceState {
  const isMissed = before.status === 'admitted' && place.status === 'expired' && place.reason === 'timeout'
  return isMissed ? { ...place, reason: 'no_show' } : place
}

function isCalled(before: string, after: string): boolean {
  return before === 'waiting' && (after === 'admitted' || after === 'active')
}

function optionsOf({ kind, id }: WaitFacts) {
  const address = kind === 'event' ? { eventId: id } : { roomId: id }
  return { ...address, ...listening(), proof: 'cookie' } as const
}

function lookAgain({ why, retrySeconds = 1 }: Outside, { opensAt }: WaitFacts, join: () => Promise<void>): void {
  if (why === 'rush') {
    // Half as long again at most, so that those who were told the same second do not all come in it.
    const ms = retrySeconds * 1_000 * (1 + Math.random() / 2)
    setTimeout(() => join().catch(() => location.reload()), ms)
    return
  }
  if (why === 'challenge') {
    join().catch(() => setTimeout(() => location.reload(), LOOK_AGAIN_MS))
    return
  }
  if (why !== 'before' && why !== 'full' && why !== 'sold_out' && why !== 'device') return
  const untilOpenMs = why === 'before' && opensAt !== null ? Math.max(0, opensAt - Date.now()) : LOOK_AGAIN_MS
  // Not all at the same instant: the first second after the opening belongs to those who come anew, too.
  const spreadMs = Math.random() * SPREAD_MS
  setTimeout(() => location.reload(), Math.min(LOOK_AGAIN_MS, untilOpenMs) + spreadMs)
}

/** Inside, an event has seats; a room lets go of the visitor by a form, which its page shows. */
function goInside({ kind, id }: WaitFacts): void {
  if (kind === 'event') location.assign(`/events/${id}/seats`)
}

/** What the buttons do. Each may fail, and then says so where it was pressed. */
export interface Acts {
  claim(): Promise<void>
  extend(): Promise<void>
  leave(): Promise<void>
  join(): Promise<void>
  handOver(): Promise<Handed>
  /** By a name, or no longer. */
  showAs(name: string | null): Promise<void>
}

function createActs(
  facts: WaitFacts,
  live: () => Place | null,
  follow: (place: Place) => void,
  lookAround: () => Promise<void>,
  onSolving: (part: number) => void,
): Acts {
  const place = (): Place => {
    const known = live()
    if (known === null) throw new Error('There is no place yet')
    return known
  }
  return {
    async claim() {
      await place().claim()
      goInside(facts)
    },
    async extend() {
      await place().extend()
    },
    async leave() {
      await place().leave()
    },
    async join() {
      follow(await joinLine({ ...optionsOf(facts), onSolving }))
    },
    async showAs(name) {
      await place().showAs(name)
      await lookAround()
    },
    async handOver() {
      const { code } = await place().handOver()
      return { code, page: `${location.origin}/${facts.kind}s/${facts.id}/handover` }
    },
  }
}
