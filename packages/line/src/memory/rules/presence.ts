/**
 * When a ticket was last seen, in tenths of a second since the room was loaded, plus one: small enough for 32 bits over
 * thirteen years. 0 means not seen since the load, and counts as seen at the load, so that a rebuild makes no ticket absent. Rules L15, L26.
 */
export function seenUnit(now: number, loadedAt: number): number {
  return Math.floor((now - loadedAt) / UNIT_MS) + 1
}

/** Present means seen within the timeout, its last tenth of a second included. */
export function isPresent(seen: number, now: number, loadedAt: number, timeoutSeconds: number): boolean {
  return seenUnit(now, loadedAt) - Math.max(seen, 1) <= timeoutSeconds * UNITS_PER_SECOND
}

const UNIT_MS = 100
const UNITS_PER_SECOND = 10
