/** What a group of the provider stands for: an admin, or a member of the house. */
export const PROVIDER_ROLES = ['admin', 'manager', 'box_office', 'door', 'viewer'] as const
export type ProviderRole = (typeof PROVIDER_ROLES)[number]

/** The house's own OpenID Connect provider, by which its staff signs in. */
export interface OpenidSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** In lower case. Addresses of other domains cannot sign in by the provider. */
  readonly domains: readonly string[]
  /** The claim of the identity token that lists groups. */
  readonly groupsClaim: string
  /** Empty: the provider gives no roles. */
  readonly roles: ReadonlyMap<string, ProviderRole>
}

type OpenidSetting =
  | 'SEATWISE_OPENID_ISSUER'
  | 'SEATWISE_OPENID_CLIENT_ID'
  | 'SEATWISE_OPENID_CLIENT_SECRET'
  | 'SEATWISE_OPENID_DOMAINS'
  | 'SEATWISE_OPENID_GROUPS_CLAIM'
  | 'SEATWISE_OPENID_ROLES'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const DOMAIN = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/

/** Null without an issuer: there is no button then. Problems never repeat the secret. */
export function readOpenid(value: (name: OpenidSetting) => string | null, problems: string[]): OpenidSettings | null {
  const issuer = value('SEATWISE_OPENID_ISSUER')
  const [clientId, clientSecret] = [value('SEATWISE_OPENID_CLIENT_ID'), value('SEATWISE_OPENID_CLIENT_SECRET')]
  const domains = listOf(value('SEATWISE_OPENID_DOMAINS')).map((domain) => domain.toLowerCase())
  const groupsClaim = value('SEATWISE_OPENID_GROUPS_CLAIM') ?? 'groups'
  const roles = readRoles(value('SEATWISE_OPENID_ROLES'), problems)
  if (issuer === null) {
    const others = [clientId, clientSecret, value('SEATWISE_OPENID_DOMAINS'), value('SEATWISE_OPENID_ROLES')]
    if (others.some((text) => text !== null)) problems.push('SEATWISE_OPENID_… settings need SEATWISE_OPENID_ISSUER.')
    return null
  }
  const url = URL.parse(issuer)
  // The tokens that come from there decide who is an admin: a network in between must not write them.
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname)))) {
    problems.push('SEATWISE_OPENID_ISSUER must be an https address such as https://accounts.example.com.')
  }
  for (const domain of domains) {
    if (!DOMAIN.test(domain))
      problems.push(`SEATWISE_OPENID_DOMAINS must list domains such as example.com, not "${domain}".`)
  }
  if (clientId !== null && clientSecret !== null && domains.length > 0) {
    return { issuer, clientId, clientSecret, domains, groupsClaim, roles }
  }
  problems.push(
    'SEATWISE_OPENID_ISSUER needs SEATWISE_OPENID_CLIENT_ID, SEATWISE_OPENID_CLIENT_SECRET and SEATWISE_OPENID_DOMAINS, whose addresses may sign in.',
  )
  return null
}

function readRoles(text: string | null, problems: string[]): ReadonlyMap<string, ProviderRole> {
  const roles = new Map<string, ProviderRole>()
  for (const pair of listOf(text)) {
    const at = pair.lastIndexOf('=')
    const role = PROVIDER_ROLES.find((known) => known === pair.slice(at + 1).trim())
    const group = pair.slice(0, at).trim()
    if (at > 0 && group !== '' && role !== undefined) roles.set(group, role)
    else {
      problems.push(
        `SEATWISE_OPENID_ROLES must look like group=role,group=role with the roles ${PROVIDER_ROLES.join(', ')}; "${pair}" does not.`,
      )
    }
  }
  return roles
}

function listOf(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
