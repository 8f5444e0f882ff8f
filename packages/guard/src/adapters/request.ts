import type { Session } from '../session/session-cookies.ts'

/** A request as far as a guard looks at it. Nothing else in it can open a door. */
export interface GuardRequest {
  readonly method: string
  /** Path and query as they came, undecoded. */
  readonly url: string
  readonly cookie: string | undefined
  readonly accept: string | undefined
  readonly fetchMode: string | undefined
  readonly origin: string | undefined
  /** Of the client, where the server knows it. */
  readonly address: string | undefined
  /** By its name in small letters. */
  header(name: string): string | undefined
  /** The body as text; null when it is longer than `max` bytes. Asked for only by what is posted to the guard itself. */
  readBody(max: number): Promise<string | null>
}

/** What to do with a request. */
export type Verdict =
  | { readonly kind: 'let-in'; readonly why: 'session'; readonly session: Session }
  | { readonly kind: 'let-in'; readonly why: 'ignored' | 'bypass' | 'room-unreachable'; readonly session: null }
  | { readonly kind: 'answer'; readonly answer: Answer }

/** What a guard says itself, instead of the site. */
export interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}
