import type { Neighbor, Place } from '@seatwise/client'

/** Names are nice to have: they are asked for seldom, and not at all far from the door. */
const ASK_MS = 30_000
const AROUND = 3
const POSITION_MAX = 5_000

/**
 * Those around the visitor who agreed to be shown, by their distance: -1 is the one right before, 0 the visitor. Returns
 * how to look at once.
 */
export function watchNeighbours(
  place: Place,
  tell: (around: ReadonlyMap<number, Neighbor>) => void,
): () => Promise<void> {
  const ask = async (): Promise<void> => {
    const { state } = place
    if (document.hidden || state.status !== 'waiting' || state.position > POSITION_MAX) return
    const found = await place.neighbors(AROUND).catch(() => [])
    const you = found.find((neighbor) => neighbor.you)?.position ?? state.position
    tell(new Map(found.filter(({ name }) => name !== null).map((one) => [one.position - you, one])))
  }
  void ask()
  const timer = setInterval(() => void ask(), ASK_MS)
  place.on(({ status }) => {
    if (status !== 'waiting') clearInterval(timer)
  })
  return ask
}
