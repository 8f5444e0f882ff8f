import { followNames } from './ably-names.ts'
import type { AblyAccess, AblyChannel, AblyMode, AblyModule, AblyOptions } from './ably-types.ts'
import type { ListenParts } from './connection.ts'

/** A code of the server's own: polling is better for a while. */
const REFUSED = 4_001
/** Ably's SDK in Node would speak MessagePack, which browsers do not need. */
const OPTIONS = { useBinaryProtocol: false, transports: ['web_socket'] as 'web_socket'[], logLevel: 0 as const }
/** One's own turn or end: those who wait see one's name no longer. */
const NOT_WAITING = /^(ACTIVE|ENDED)$/

export interface AblyParts extends ListenParts {
  /** What the server gave first; `askAccess` asks it again. */
  readonly access: AblyAccess
  readonly askAccess: () => Promise<AblyAccess>
}

/** Listens by Ably's module, until the returned function is called. */
export function listenByAbly({ Realtime }: AblyModule, parts: AblyParts): () => void {
  const { access: first } = parts
  const { channels } = first
  const attached = new Set<string>()
  let isConnected = false
  let isListening = false
  let isOver = false

  const ably = new Realtime({ ...OPTIONS, ...first.clientOptions, authCallback: tokens(parts, () => end(0)) })
  const [publicChannel, privateChannel] = channels.map((name, index) =>
    ably.channels.get(name, { modes: index === 0 ? modesOf(parts, first) : ['SUBSCRIBE'] }),
  ) as [AblyChannel, AblyChannel]
  const names = parts.presence ? followNames(publicChannel, parts) : null

  const close = () => {
    isOver = true
    ably.close()
  }
  const end = (code: number) => {
    if (isOver) return
    close()
    parts.gone(code)
  }
  /** Says it as the server's own socket does. */
  const tell = () => {
    const isNow = isConnected && attached.size === channels.length
    if (isNow === isListening || isOver) return
    isListening = isNow
    parts.hear(isNow ? { type: 'SUBSCRIBED', channels } : { type: 'UNSUBSCRIBED', channel: channels[1] })
  }
  ably.connection.on(({ current }) => {
    isConnected = current === 'connected'
    if (current === 'failed') end(REFUSED)
    // Away for minutes; or closed by the SDK, because the page seemed to be left.
    else if (current === 'suspended' || current === 'closed') end(0)
    else tell()
  })
  for (const channel of [publicChannel, privateChannel]) {
    channel.on(({ current, resumed }) => {
      if (current === 'attached') attached.add(channel.name)
      else attached.delete(channel.name)
      if (current === 'failed') end(REFUSED)
      tell()
      if (current !== 'attached' || resumed) return
      parts.missed()
      if (channel === publicChannel) names?.begin(first.shown)
    })
    const hear = ({ data }: { readonly data?: unknown }) => {
      const message = JSON.parse(String(data))
      if (isOver || parts.subscription().without.includes(message.type)) return
      if (channel === privateChannel && NOT_WAITING.test(message.type)) names?.hide()
      parts.hear(message)
    }
    // The state of the channel says it, too, if it fails.
    channel.subscribe(hear).catch(() => {})
  }
  return close
}

/** Gives Ably the first token request, and fetches another one whenever it asks for one. */
function tokens({ access: first, askAccess, presence }: AblyParts, changed: () => void): AblyOptions['authCallback'] {
  let unused: AblyAccess | null = first
  const next = async () => {
    const access = unused ?? (await askAccess())
    unused = null
    // The channels were attached for what the first token allowed.
    if (presence && !access.shown !== !first.shown) changed()
    return access.tokenRequest
  }
  return (_parameters, callback) => {
    next().then(
      (tokenRequest) => callback(null, tokenRequest),
      (error: unknown) => callback(String(error), null),
    )
  }
}

/** Asks for no more than is listened to. */
function modesOf({ presence }: ListenParts, { shown }: AblyAccess): AblyMode[] {
  if (!presence) return ['SUBSCRIBE']
  return shown ? ['SUBSCRIBE', 'PRESENCE_SUBSCRIBE', 'PRESENCE'] : ['SUBSCRIBE', 'PRESENCE_SUBSCRIBE']
}
