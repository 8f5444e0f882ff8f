import type { AblyChannel, AblyMember, ShownName } from './ably-types.ts'
import type { ListenParts } from './connection.ts'

const NAME_LENGTH_MAX = 100

/** Those who come and go by name, as PRESENCE messages, and one's own name among them. */
export function followNames({ presence }: AblyChannel, { hear }: ListenParts) {
  let isShown = false
  presence
    .subscribe(['enter', 'update', 'leave'], (member) =>
      hear(
        member.action === 'leave'
          ? { type: 'PRESENCE', joined: [], left: [member.clientId] }
          : { type: 'PRESENCE', joined: visitorsOf([member]), left: [] },
      ),
    )
    .catch(() => {})
  return {
    begin(name: ShownName | null | undefined) {
      isShown = Boolean(name)
      // Names are nice to have: those that fail to come or to go are not missed.
      if (name) presence.enter(name).catch(() => {})
      presence.get().then(
        (members) => hear({ type: 'PRESENCE', present: visitorsOf(members) }),
        () => {},
      )
    },
    hide() {
      if (isShown) presence.leave().catch(() => {})
      isShown = false
    },
  }
}

/** What others entered with is theirs alone: it is cut to what a name can be. */
function visitorsOf(members: readonly AblyMember[]) {
  return members.flatMap(({ clientId: ticketId, data }) => {
    const { name, avatar } = Object(data)
    if (typeof name !== 'string' || name === '') return []
    const isPicture = typeof avatar === 'string' && avatar.startsWith('https://')
    return [{ ticketId, name: name.slice(0, NAME_LENGTH_MAX), avatar: isPicture ? avatar : null }]
  })
}
