import type { PlaceState } from '@seatwise/client'
import type { Outside } from '../../views/wait-view.ts'

type Shown = PlaceState | Outside

/** So long stands why it takes longer. */
const REASON_MS = 60_000
/** How long the page says that the visitor was passed over and is back in place. */
const BACK_MS = 20_000

/**
 * The server says once why it takes longer, and that the visitor was passed over. A visitor who looks a moment later wants to
 * know it, too; and after a while it is over, also when nothing else is heard.
 */
export function createKeeper(now: () => number): (place: Shown) => Shown {
  let heard: Shown | null = null
  let reason = { told: '', until: 0 }
  let wasAway = false
  let backUntil = 0
  return (place) => {
    if (place.status !== 'waiting') return place
    const isNews = place !== heard
    heard = place
    if (isNews && place.eta.reason !== null) reason = { told: place.eta.reason, until: now() + REASON_MS }
    if (place.away && !wasAway) backUntil = now() + BACK_MS
    wasAway = place.away
    const eta = { ...place.eta, reason: now() < reason.until ? reason.told : null }
    return { ...place, eta, away: now() < backUntil }
  }
}
