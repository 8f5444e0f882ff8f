import type { WaitingIcon } from '../icons-of-waiting.ts'
import type { WaitFacts } from './wait-view.ts'

export type ActionName =
  | 'claim'
  | 'extend'
  | 'leave'
  | 'handOver'
  | 'join'
  | 'joinAgain'
  | 'appeal'
  | 'takeBack'
  | 'sound'
  | 'remind'
  | 'signIn'
  | 'seats'
  | 'site'
  | 'checkout'
  | 'event'
  | 'events'
  | 'tickets'

/** Something to press. Links lead somewhere; the rest are forms that work alone, which scripts only make smoother. */
export interface WaitAction {
  readonly name: ActionName
  readonly label: string
  readonly isMain: boolean
  readonly icon: WaitingIcon
  readonly href?: string
  readonly post?: string
}

/** The first is what most people want, and the only one that stands out. */
export function actionsOf(facts: WaitFacts, names: readonly ActionName[], reservationId: string | null = null) {
  return names.map((name, index): WaitAction => {
    const isMain = index === 0 && MAIN.has(name)
    return { name, label: labelOf(facts, name), isMain, icon: ICON_OF[name], ...goalOf(facts, name, reservationId) }
  })
}

const MAIN = new Set<ActionName>(['claim', 'join', 'joinAgain', 'signIn', 'seats', 'site', 'checkout', 'tickets'])

const ICON_OF = {
  claim: 'door',
  extend: 'clock',
  leave: 'close',
  handOver: 'phone',
  join: 'arrow',
  joinAgain: 'arrow',
  appeal: 'info',
  takeBack: 'back',
  sound: 'sound',
  remind: 'calendar',
  signIn: 'person',
  seats: 'chair',
  site: 'arrow',
  checkout: 'arrow',
  event: 'back',
  events: 'search',
  tickets: 'ticket',
} as const satisfies Record<ActionName, WaitingIcon>

function labelOf({ words }: WaitFacts, name: ActionName): string {
  const labels: Record<ActionName, string> = {
    claim: words.goIn,
    extend: words.moreTime,
    leave: words.leave,
    handOver: words.onPhone,
    join: words.join,
    joinAgain: words.joinAgain,
    appeal: words.askOrganiser,
    takeBack: words.takeBack,
    sound: words.soundOn,
    remind: words.remind,
    signIn: words.signInToJoin,
    seats: words.toSeats,
    site: words.toSite,
    checkout: words.toCheckout,
    event: words.toEvent,
    events: words.otherEvents,
    tickets: words.toTickets,
  }
  return labels[name]
}

/** Where the waiting page is. */
function waitPath({ kind, id }: Pick<WaitFacts, 'kind' | 'id'>): string {
  return `/${kind}s/${encodeURIComponent(id)}/wait`
}

/** Where it can be opened again: with the site that the visitor wants to go to afterwards. */
export function waitPageAgain({ to, ...facts }: Pick<WaitFacts, 'kind' | 'id' | 'to'>): string {
  return waitPath(facts) + queryOf(to)
}

const queryOf = (to: string | null): string => (to === null ? '' : `?to=${encodeURIComponent(to)}`)

function goalOf(
  facts: WaitFacts,
  name: ActionName,
  reservationId: string | null,
): { href: string } | { post: string } | object {
  const { kind, id, to } = facts
  const page = waitPath(facts)
  const query = queryOf(to)
  switch (name) {
    case 'claim':
    case 'extend':
    case 'leave':
    case 'appeal':
      return { post: `${page}/${name}${query}` }
    case 'handOver':
      return { post: `${page}/hand-over${query}` }
    case 'join':
    case 'joinAgain':
    case 'takeBack':
      return { post: `${page}/join${query}` }
    case 'site':
      return { post: `/rooms/${encodeURIComponent(id)}/return${query}` }
    case 'remind':
      return { href: `/events/${id}/calendar.ics` }
    case 'signIn':
      return { href: `/sign-in?next=${encodeURIComponent(page + query)}` }
    case 'seats':
      return { href: `/events/${id}/seats` }
    case 'checkout':
      return { href: `/checkout/${reservationId}` }
    case 'event':
      return { href: kind === 'event' ? `/events/${id}` : '/' }
    case 'events':
      return { href: '/' }
    case 'tickets':
      return { href: '/reservations' }
    case 'sound':
      return {}
  }
}
