export interface RedisNode {
  readonly host: string
  readonly port: number
}

/** A parsed REDIS_URL: one server, a Cluster (several hosts) or a primary behind Sentinels. */
export interface RedisTarget {
  readonly kind: 'single' | 'cluster' | 'sentinel'
  readonly nodes: readonly RedisNode[]
  readonly tls: boolean
  readonly username: string | null
  readonly password: string | null
  readonly database: number
  /** The Sentinels' name of the primary; null unless `kind` is `sentinel`. */
  readonly primaryName: string | null
}

export type ParsedRedisUrl = { status: 'parsed'; target: RedisTarget } | { status: 'bad'; problem: string }

const EXPECTED =
  'must look like redis://host:6379, redis://host1:6379,host2:6379 (Cluster) or redis+sentinel://host1:26379,host2:26379/primary-name.'

/**
 * `scheme://[user:password@]host[:port][,host[:port]…][/database or primary name]`.
 * WHATWG URLs allow one host only, so the host list is cut out first.
 */
export function parseRedisUrl(text: string): ParsedRedisUrl {
  const match = /^(rediss?(?:\+sentinel)?):\/\/(?:([^@/]*)@)?([^/?#@]+)(?:\/([^/?#]*))?$/.exec(text)
  if (match === null) return { status: 'bad', problem: EXPECTED }
  const [, scheme = '', credentials = '', hosts = '', path = ''] = match
  const sentinel = scheme.endsWith('+sentinel')
  const nodes = hosts.split(',').map((host) => parseNode(host, sentinel ? 26_379 : 6_379))
  if (nodes.includes(null)) return { status: 'bad', problem: EXPECTED }
  if (sentinel && path === '') {
    return {
      status: 'bad',
      problem: 'names Sentinels but not the primary: add its name, redis+sentinel://host/primary-name.',
    }
  }
  const kind = sentinel ? 'sentinel' : nodes.length > 1 ? 'cluster' : 'single'
  if (!sentinel && !/^\d{0,4}$/.test(path))
    return { status: 'bad', problem: 'ends in a database that is not a number.' }
  if (kind === 'cluster' && Number(path) !== 0)
    return { status: 'bad', problem: 'names a database, and a Cluster has only 0.' }
  const login = parseCredentials(credentials)
  if (login === null) return { status: 'bad', problem: 'has a user or password that is not URL-encoded.' }
  return {
    status: 'parsed',
    target: {
      kind,
      nodes: nodes.filter((node) => node !== null),
      tls: scheme.startsWith('rediss'),
      ...login,
      database: sentinel ? 0 : Number(path),
      primaryName: sentinel ? path : null,
    },
  }
}

function parseNode(text: string, defaultPort: number): RedisNode | null {
  const match = /^(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/.exec(text.trim())
  if (match === null) return null
  const [, host = '', port] = match
  const number = port === undefined ? defaultPort : Number(port)
  if (number < 1 || number > 65_535) return null
  return { host: host.replace(/^\[|\]$/g, ''), port: number }
}

function parseCredentials(text: string): { username: string | null; password: string | null } | null {
  if (text === '') return { username: null, password: null }
  const colon = text.indexOf(':')
  const username = colon === -1 ? text : text.slice(0, colon)
  const password = colon === -1 ? '' : text.slice(colon + 1)
  try {
    return {
      username: username === '' ? null : decodeURIComponent(username),
      password: password === '' ? null : decodeURIComponent(password),
    }
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
