import type { GuardRequest } from './adapters/request.ts'
import { type BypassRules, createBypass } from './bypass.ts'
import { decodeBase64Url } from './session/base64url.ts'

/** How a guard is set up. What has no sensible default has none. */
export interface GuardOptions {
  /** Where visitors reach the waiting room: the origin of a Seatwise server, such as https://queue.example.com. */
  readonly roomUrl: string
  /** The room's id, as `POST /api/rooms` answered it. */
  readonly room: string
  /** Where visitors reach the site that is guarded: the origin of the room's `target`. */
  readonly site: string
  /**
   * What happens to people without a session while the room cannot be reached: `true` lets them in, `false` turns them
   * away. There is no default: it decides whether the site fails with the room, or is overloaded without it.
   */
  readonly failOpen: boolean
  /**
   * Signs the session cookies: base64 of at least 32 bytes, the same in all processes of the site. To rotate it, put a
   * new one in front: the first signs, all verify.
   */
  readonly secret: string | readonly string[]
  /**
   * What needs no pass: a path as it stands, or everything below a path that ends with a slash. A request counts only
   * if it spells its path in the plainest way; see normal-path.ts.
   */
  readonly ignore?: readonly string[]
  /** Who needs no pass, by a secret header or by network. */
  readonly bypass?: BypassRules
  /** Where this process reaches the room, if not at `roomUrl`. */
  readonly apiUrl?: string
  /** Told once when the room cannot be reached, once when it can be again, and when a slot could not be freed. */
  readonly onProblem?: (problem: string) => void
  /** Of the platform, unless a test or a service binding brings another. */
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Checked, and in the form the parts need. */
export interface Settings {
  readonly roomOrigin: string
  readonly room: string
  readonly site: URL
  readonly failOpen: boolean
  readonly secrets: readonly [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]]
  readonly ignore: readonly string[]
  readonly isBypassed: (request: GuardRequest) => boolean
  readonly apiOrigin: string
  readonly onProblem: (problem: string) => void
  readonly fetch: typeof fetch
  readonly now: () => number
}

const SECRET_BYTES_MIN = 32
const ROOM_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PLAIN_PATH = /^(\/[A-Za-z0-9_~.-]*)+$/

/** Throws one error that names everything that is wrong. */
export function readOptions(options: GuardOptions): Settings {
  const problems: string[] = []
  const room = options.room?.toLowerCase?.() ?? ''
  if (!ROOM_ID.test(room)) problems.push('room must be the id of a room.')
  if (typeof options.failOpen !== 'boolean') {
    problems.push('failOpen must be true or false: are people let in while the room cannot be reached?')
  }
  const [first, ...others] = [options.secret ?? ''].flat().map(decodeSecret)
  const secrets = first === undefined ? null : ([first, ...others] as const)
  if (secrets === null || secrets.some((secret) => secret.length < SECRET_BYTES_MIN)) {
    problems.push(`secret must be base64 of at least ${SECRET_BYTES_MIN} bytes: openssl rand -base64 32`)
  }
  for (const path of options.ignore ?? []) {
    if (!PLAIN_PATH.test(path) || path.includes('//') || /\/\.{1,2}(\/|$)/.test(path)) {
      problems.push(`ignore: "${path}" must be a plain path such as /favicon.ico or /assets/.`)
    }
  }
  const isBypassed = createBypass(options.bypass, problems)
  const roomOrigin = originOf('roomUrl', options.roomUrl, problems)
  const site = originOf('site', options.site, problems)
  const apiOrigin = options.apiUrl === undefined ? roomOrigin : originOf('apiUrl', options.apiUrl, problems)
  if (problems.length > 0 || secrets === null) throw new Error(`The guard cannot start:\n- ${problems.join('\n- ')}`)
  return {
    ...{ roomOrigin, room, site: new URL(site), failOpen: options.failOpen, secrets, apiOrigin },
    ignore: options.ignore ?? [],
    isBypassed,
    onProblem: options.onProblem ?? ((problem) => console.warn(problem)),
    // Some platforms refuse a fetch that is called as a method of something else.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    now: options.now ?? Date.now,
  }
}

function originOf(name: string, text: string, problems: string[]): string {
  const url = typeof text === 'string' ? URL.parse(text) : null
  const isOrigin =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname + url.search + url.hash === '/' &&
    url.username === ''
  if (isOrigin) return url.origin
  problems.push(`${name} must be an origin such as https://queue.example.com, without a path.`)
  return 'https://invalid.example'
}

function decodeSecret(text: string): Uint8Array<ArrayBuffer> {
  return decodeBase64Url(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')) ?? new Uint8Array()
}
