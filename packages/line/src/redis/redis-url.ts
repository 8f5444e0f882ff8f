/** Where Redis is, as REDIS_URL says it. */
export interface RedisPlace {
  kind: 'single' | 'cluster' | 'sentinel'
  nodes: { host: string; port: number }[]
  tls: boolean
  username?: string
  password?: string
  database?: number
  /** What the Sentinels call the primary. */
  primaryName?: string
}

/**
 * `redis://host:port/db`; several hosts are a Cluster; `redis+sentinel://host:port,…/name` names a primary.
 * `rediss` in the place of `redis` means TLS.
 */
export function parseRedisUrl(url: string): RedisPlace {
  const found = /^(rediss?)(\+sentinel)?:\/\/(?:([^@]*)@)?([^/?]+)(?:\/([^?]*))?$/.exec(url)
  if (found === null)
    throw new Error(`Expected redis://host:port, several hosts, or redis+sentinel://, not ${hide(url)}`)
  const [, scheme, sentinel, credentials, hosts = '', path = ''] = found
  const nodes = hosts.split(',').map((host) => parseHost(host, sentinel === undefined ? 6379 : 26379))
  const place = { nodes, tls: scheme === 'rediss', ...parseCredentials(credentials) }
  if (sentinel !== undefined) {
    if (path === '') throw new Error(`The primary's name is missing after the Sentinels' hosts: ${hide(url)}`)
    return { kind: 'sentinel', ...place, primaryName: decodeURIComponent(path) }
  }
  if (nodes.length > 1) return { kind: 'cluster', ...place }
  return path === '' ? { kind: 'single', ...place } : { kind: 'single', ...place, database: Number(path) }
}

function parseHost(text: string, defaultPort: number): { host: string; port: number } {
  const { hostname, port } = new URL(`redis://${text}`)
  if (hostname === '') throw new Error(`Expected host:port, not ${text}`)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) }
}

function parseCredentials(text: string | undefined): { username?: string; password?: string } {
  if (text === undefined || text === '') return {}
  const [username = '', password] = text.split(':').map(decodeURIComponent)
  return {
    ...(username === '' ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  }
}

function hide(url: string): string {
  return url.replace(/\/\/[^@]*@/, '//…@')
}
