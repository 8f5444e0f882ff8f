/** What a member of an organization may be; `spec/roles.md` says what each may do. */
export const MEMBER_ROLES = ['owner', 'manager', 'box_office', 'door', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** The roles that an API key can have: a key never manages people or other keys. */
export const KEY_ROLES = ['manager', 'box_office', 'door', 'viewer'] as const satisfies readonly MemberRole[]
export type KeyRole = (typeof KEY_ROLES)[number]

const OWNER = ['owner'] as const
const MANAGERS = ['owner', 'manager'] as const
const SELLERS = ['owner', 'manager', 'box_office'] as const
const DOOR = ['owner', 'manager', 'box_office', 'door'] as const
const ALL = MEMBER_ROLES

/**
 * What may be done for an organization, and by whom. The table of `spec/roles.md`, which a test compares with this one.
 * Admins of the house may do all of it, everywhere.
 */
const ACTS = {
  members: OWNER,
  keys: OWNER,
  organization: OWNER,
  event: MANAGERS,
  room: MANAGERS,
  codes: MANAGERS,
  brand: MANAGERS,
  webhooks: MANAGERS,
  connector: MANAGERS,
  refund: MANAGERS,
  cancel: MANAGERS,
  export: MANAGERS,
  list: SELLERS,
  sell: SELLERS,
  resend: SELLERS,
  check_in: DOOR,
  statistics: ALL,
} as const satisfies Record<string, readonly MemberRole[]>

export type Act = keyof typeof ACTS

export const ACT_NAMES = Object.keys(ACTS) as Act[]

/** Whether members with this role may do this. */
export function roleMay(role: MemberRole, act: Act): boolean {
  const roles: readonly MemberRole[] = ACTS[act]
  return roles.includes(role)
}
