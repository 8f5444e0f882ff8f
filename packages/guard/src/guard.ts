import type { GuardRequest, Verdict } from './adapters/request.ts'
import { type Refusal, redirect, refuse, wantsPage } from './answers.ts'
import { createIgnored, pathOf } from './normal-path.ts'
import { type GuardOptions, readOptions } from './options.ts'
import { RecentMap } from './recent-map.ts'
import { createCompletions } from './room/completions.ts'
import { createRevocations } from './room/revocations.ts'
import { createRoomClient } from './room/room-client.ts'
import { createRoomKeys } from './room/room-keys.ts'
import { verifyPass } from './session/passes.ts'
import { createSessionCookies, type Session } from './session/session-cookies.ts'
import { createWays } from './ways.ts'

/** Where the room's page posts passes. Belongs to the guard, whatever the site has there. */
const ENTER_PATH = '/.seatwise/enter'
/** Where a page of the site lets its visitor give the slot back. */
const COMPLETE_PATH = '/.seatwise/complete'
/** A pass and a path. */
const FORM_BYTES_MAX = 8_192
/** Tickets with a known newest session; about 10 MB. */
const NEWEST_MAX = 100_000

/**
 * Stands in front of a site and lets in visitors whom a room has admitted. They cost the room nothing: passes and
 * sessions are verified here, and once every two seconds the room is asked which passes ended early.
 */
export interface Guard {
  /** Synchronous for a session that was seen before; otherwise a promise. */
  check(request: GuardRequest): Verdict | Promise<Verdict>
  /** Frees the slot of a session in the background. From now on it counts no more here. For a Set-Cookie header. */
  complete(session: Session): string
  /** How full its maps and queues are; `docs/bounds.md` says how full they can be. */
  readonly sizes: Readonly<Record<string, () => number>>
  /** Resolves when nothing goes on in the background; for a process that ends, and for platforms that freeze one. */
  settled(): Promise<void>
}

/** Throws when an option is missing or wrong; `failOpen` has no default. */
export function createGuard(options: GuardOptions): Guard {
  const settings = readOptions(options)
  const { room, failOpen, now, onProblem } = settings
  const client = createRoomClient(settings)
  const keys = createRoomKeys(client, now)
  const revocations = createRevocations(client, now, onProblem)
  const completions = createCompletions(client, onProblem)
  const cookies = createSessionCookies(settings)
  const ways = createWays(settings)
  const isIgnored = createIgnored(settings.ignore)
  const newest = new RecentMap<string, number>(NEWEST_MAX)

  function answerWith(code: Refusal, request: GuardRequest, cookie: string | null = null, to?: string): Verdict {
    const waitingPage = ways.waitingPage(to ?? (wantsPage(request) ? request.url : ''))
    const answer = refuse(code, request, { waitingPage, cookie, nowMs: now() })
    return { kind: 'answer', answer }
  }

  /** A pass is good in one browser: the one that entered with it last, as far as this process knows. */
  function isNewest({ ticketId, enteredAt }: Session): boolean {
    const known = newest.get(ticketId) ?? Number.NEGATIVE_INFINITY
    if (known < enteredAt) newest.set(ticketId, enteredAt)
    return known <= enteredAt
  }

  const counts = (session: Session): boolean =>
    session.expiresAt > now() && !revocations.isRevoked(session) && isNewest(session)

  function judge(request: GuardRequest, session: Session | null): Verdict {
    if (session !== null && counts(session)) return { kind: 'let-in', why: 'session', session }
    if (revocations.isUnreachable()) {
      if (failOpen) return { kind: 'let-in', why: 'room-unreachable', session: null }
      return answerWith('ROOM_UNREACHABLE', request)
    }
    const cookie = session === null ? null : cookies.clear
    if (!wantsPage(request)) return answerWith(session === null ? 'PASS_REQUIRED' : 'PASS_ENDED', request, cookie)
    return { kind: 'answer', answer: redirect(ways.waitingPage(request.url), cookie) }
  }

  async function enter(request: GuardRequest): Promise<Verdict> {
    if (request.method !== 'POST') return answerWith('METHOD_NOT_ALLOWED', request, null, '')
    const form = ways.mayEnterFrom(request.origin) ? await request.readBody(FORM_BYTES_MAX) : null
    const fields = new URLSearchParams(form ?? '')
    const to = fields.get('to') ?? ''
    const text = fields.get('pass') ?? ''
    await revocations.catchUp()
    const pass = await verifyPass(text, room, keys, now()).catch((error: unknown) => String(error))
    if (typeof pass === 'string') {
      onProblem(pass)
      return failOpen
        ? { kind: 'answer', answer: redirect(ways.siteUrl(to), null) }
        : answerWith('ROOM_UNREACHABLE', request, null, to)
    }
    // Never by a redirect to the waiting page, which would send them here again: with a wrong clock that would be
    // a redirect loop.
    if (pass === null) return answerWith('BAD_PASS', request, null, to)
    if (revocations.isRevoked(pass)) return answerWith('PASS_ENDED', request, null, to)
    const session = { ...pass, pass: text, enteredAt: now() }
    newest.set(session.ticketId, session.enteredAt)
    return { kind: 'answer', answer: redirect(ways.siteUrl(to), await cookies.issue(session)) }
  }

  function complete(session: Session): string {
    revocations.add(session)
    completions.add(session.pass)
    return cookies.clear
  }

  /** Another site's page cannot do it for its visitors: the cookie is not sent with a form from elsewhere. */
  async function completeOwn(request: GuardRequest): Promise<Verdict> {
    if (request.method !== 'POST') return answerWith('METHOD_NOT_ALLOWED', request, null, '')
    const session = ways.isOurs(request.origin) ? await cookies.verify(request.cookie) : null
    if (session === null || !counts(session)) return answerWith('PASS_REQUIRED', request, null, '')
    const headers = [['cache-control', 'no-store'] as const, ['set-cookie', complete(session)] as const]
    return { kind: 'answer', answer: { status: 204, headers, body: '' } }
  }

  return {
    check(request) {
      const path = pathOf(request.url)
      if (path === ENTER_PATH) return enter(request)
      if (path === COMPLETE_PATH) return completeOwn(request)
      if (isIgnored(request.url)) return IGNORED
      if (settings.isBypassed(request)) return BYPASSED
      const news = revocations.catchUp()
      const session = cookies.known(request.cookie)
      if (news === undefined && session !== undefined) return judge(request, session)
      return (async () => {
        const verified = session ?? (await cookies.verify(request.cookie))
        await news
        return judge(request, verified)
      })()
    },
    complete,
    sizes: {
      known_sessions: () => cookies.size,
      newest_sessions: () => newest.size,
      revoked_passes: () => revocations.size,
      slots_to_free: () => completions.size,
    },
    async settled() {
      await revocations.settled()
      await completions.settled()
    },
  }
}

const BYPASSED: Verdict = { kind: 'let-in', why: 'bypass', session: null }
const IGNORED: Verdict = { kind: 'let-in', why: 'ignored', session: null }
