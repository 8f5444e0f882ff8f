import { randomUUID } from 'node:crypto'
import { callPinned, type PinnedAnswer } from '../../delivery/index.ts'
import type { RoomTokens } from '../../rooms/index.ts'

/** What the guard of a site did when we came by, as a visitor without a pass and then as one with a pass. */
export type GuardCheck =
  /** The visitor without a pass was sent to wait, the one with a pass came in. `status` is what the site itself answered. */
  | { readonly result: 'works'; readonly status: number }
  /** No connection: the name, the address, TLS, or no answer in time. */
  | { readonly result: 'unreachable'; readonly detail: string }
  /** The site answered without asking for a pass. */
  | { readonly result: 'open'; readonly status: number }
  | { readonly result: 'other_room'; readonly detail: string }
  /** The guard sends visitors to another server than this one. */
  | { readonly result: 'other_server'; readonly detail: string }
  /** The site redirects elsewhere before a guard is asked. */
  | { readonly result: 'redirects'; readonly detail: string }
  /** The guard is there, and cannot reach this server. */
  | { readonly result: 'room_unreachable' }
  | { readonly result: 'site_error'; readonly status: number }
  /** `/.seatwise/enter` does not lead to the guard. */
  | { readonly result: 'no_entrance'; readonly status: number }
  | { readonly result: 'pass_refused' }
  /** It let the pass in and then did not know its own session. */
  | { readonly result: 'session_lost' }

/** All that a check can find. */
export const GUARD_RESULTS = [
  ...['works', 'unreachable', 'open', 'other_room', 'other_server', 'redirects'],
  ...['room_unreachable', 'site_error', 'no_entrance', 'pass_refused', 'session_lost'],
] as const

interface GuardedSite {
  readonly roomId: string
  readonly target: string
  /** The origin where visitors wait. */
  readonly roomOrigin: string
}

interface Needs {
  readonly passes: RoomTokens['passes']
  readonly allowPrivate: boolean
  readonly now: () => number
}

/** Long enough for the calls below, with a clock at the site that is a little ahead. */
const PASS_MS = 60_000
const AS_A_BROWSER = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'user-agent': 'Seatwise guard check' }

/**
 * Visits a site as a browser would. The pass names a ticket that no room has: it opens the guard's door for a minute, counts nowhere
 * else, and nothing about it is stored.
 */
export async function checkGuard(needs: Needs, site: GuardedSite): Promise<GuardCheck> {
  const options = { allowPrivate: needs.allowPrivate }
  const look = (cookie?: string): Promise<PinnedAnswer> =>
    callPinned(
      { method: 'GET', url: site.target, headers: { ...AS_A_BROWSER, ...(cookie === undefined ? {} : { cookie }) } },
      options,
    )
  try {
    const without = judgeStranger(await look(), site)
    if (without !== null) return without
    const entrance = await callPinned(entranceOf(needs, site), options)
    const cookies = (entrance.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0])
    const refused = judgeEntrance(entrance, cookies.length > 0)
    if (refused !== null) return refused
    const inside = await look(cookies.join('; '))
    if (waitsAt(inside) !== null) return { result: 'session_lost' }
    return { result: 'works', status: inside.status }
  } catch (error) {
    return { result: 'unreachable', detail: error instanceof Error ? error.message : String(error) }
  }
}

function entranceOf({ passes, now }: Needs, { roomId, target, roomOrigin }: GuardedSite) {
  // Numbers and fences of tickets begin at 1 and rise with every step: no ticket has number 0.
  const claims = { room: roomId, number: 0, fence: 1, expiresAt: now() + PASS_MS }
  const pass = passes.issue(claims, `check_${randomUUID()}`)
  return {
    method: 'POST',
    url: new URL('/.seatwise/enter', target).href,
    headers: { ...AS_A_BROWSER, 'content-type': 'application/x-www-form-urlencoded', origin: roomOrigin },
    body: new URLSearchParams({ pass, to: '/' }).toString(),
  } as const
}

/** Null when a visitor without a pass is sent to wait where they should. */
function judgeStranger(answer: PinnedAnswer, { roomId, roomOrigin }: GuardedSite): GuardCheck | null {
  const { status, headers } = answer
  // A guard that fails closed names its waiting page, too; for a room that is not there it takes the server for unreachable.
  const waiting = waitsAt(answer) ?? namedIn(answer)
  if (waiting !== null) {
    if (waiting.room !== roomId) return { result: 'other_room', detail: waiting.room }
    if (waiting.origin !== roomOrigin) return { result: 'other_server', detail: waiting.origin }
    return isRoomUnreachable(answer) ? { result: 'room_unreachable' } : null
  }
  if (status >= 300 && status < 400) return { result: 'redirects', detail: headers.location ?? '' }
  return status >= 500 ? { result: 'site_error', status } : { result: 'open', status }
}

/** Null when the pass was exchanged for a session. */
function judgeEntrance(answer: PinnedAnswer, hasCookie: boolean): GuardCheck | null {
  const { status } = answer
  if (isRoomUnreachable(answer)) return { result: 'room_unreachable' }
  if (status >= 300 && status < 400 && hasCookie) return null
  if (status === 403) return { result: 'pass_refused' }
  return { result: 'no_entrance', status }
}

interface WaitingPage {
  readonly room: string
  readonly origin: string
}

/** The waiting page that an answer redirects to; null when it does not. */
function waitsAt({ status, headers: { location } }: PinnedAnswer): WaitingPage | null {
  return status >= 300 && status < 400 ? readAddress(location) : null
}

/** The waiting page that the guard's own page leads to. */
function namedIn({ status, text }: PinnedAnswer): WaitingPage | null {
  return status === 503 ? readAddress(/href="([^"]+\/wait)[?"]/.exec(text)?.[1]) : null
}

function readAddress(text: string | undefined): WaitingPage | null {
  const url = text === undefined ? null : URL.parse(text)
  const [, room] = /^\/rooms\/([0-9a-f-]{36})\/wait$/.exec(url?.pathname ?? '') ?? []
  return url === null || room === undefined ? null : { room, origin: url.origin }
}

const isRoomUnreachable = (answer: PinnedAnswer): boolean => namedIn(answer) !== null
