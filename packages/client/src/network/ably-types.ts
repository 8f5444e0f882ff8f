/** `GET …/queue/realtime-token` */
export interface AblyAccess {
  readonly provider: 'ably' | 'builtin'
  readonly channels: readonly [publicChannel: string, privateChannel: string]
  readonly tokenRequest: AblyTokenRequest
  /** Where Ably is, if it is not at its usual hosts. */
  readonly clientOptions?: Readonly<Record<string, unknown>>
  /** As whom others may see the visitor; null while they may not. */
  readonly shown?: ShownName | null
}

export interface ShownName {
  readonly name: string
  readonly avatar: string | null
}

interface AblyTokenRequest {
  readonly keyName: string
  readonly capability: string
  readonly timestamp: number
  readonly nonce: string
  readonly mac: string
}

/** The part of Ably's SDK that is used. Its own types are more than this package wants to know. */
export interface AblyModule {
  readonly Realtime: new (options: AblyOptions) => AblyClient
}

export interface AblyOptions {
  readonly authCallback: (
    parameters: unknown,
    callback: (error: string | null, tokenRequest: AblyTokenRequest | null) => void,
  ) => void
  readonly useBinaryProtocol: boolean
  readonly transports: 'web_socket'[]
  readonly logLevel: 0
}

interface AblyClient {
  readonly connection: { on(listener: (change: { readonly current: string }) => void): void }
  readonly channels: { get(name: string, options: { readonly modes: AblyMode[] }): AblyChannel }
  close(): void
}

export type AblyMode = 'SUBSCRIBE' | 'PRESENCE_SUBSCRIBE' | 'PRESENCE'

export interface AblyChannel {
  readonly name: string
  readonly presence: AblyPresence
  on(listener: (change: { readonly current: string; readonly resumed: boolean }) => void): void
  subscribe(listener: (message: { readonly data?: unknown }) => void): Promise<unknown>
}

interface AblyPresence {
  enter(data: ShownName): Promise<void>
  leave(): Promise<void>
  get(): Promise<readonly AblyMember[]>
  subscribe(actions: ('enter' | 'update' | 'leave')[], listener: (member: AblyMember) => void): Promise<void>
}

export interface AblyMember {
  readonly action: string
  readonly clientId: string
  readonly data?: unknown
}
