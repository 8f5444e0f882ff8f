import type { Defect } from '../defect.ts'

/** Power that nobody gave: by role, by key, by organization. */
export const ORGANIZATIONS: readonly Defect[] = [
  {
    name: 'managers-make-keys',
    breaks: 'A manager makes API keys, and with them more managers.',
    rule: 'Q2',
    file: 'packages/domain/src/organization/roles.ts',
    edits: [{ from: '  keys: OWNER,\n', to: '  keys: MANAGERS,\n' }],
    caughtBy: [
      {
        file: 'packages/server/test/security/matrix/matrix.test.ts',
        title: '[Q2] the product knows the acts and roles of the specification',
      },
    ],
  },
  {
    name: 'act-in-any-organization',
    breaks: 'A role in one organization counts in all of them.',
    rule: 'Q3',
    file: 'packages/server/src/http/access/may-do.ts',
    edits: [
      {
        from: 'organizationId === null ? undefined : actor.teams?.get(organizationId)',
        to: '[...(actor.teams?.values() ?? [])][0]',
      },
    ],
    caughtBy: [{ file: 'packages/server/test/security/matrix/matrix.test.ts', title: '[Q3] a draft is 404' }],
  },
  {
    name: 'revoked-key-stays',
    breaks: 'A revoked API key goes on working.',
    rule: 'Q5',
    file: 'packages/server/src/identity/organizations/teams.ts',
    edits: [{ from: '      if (key.isRevoked) keys.delete(key.hash)\n      else keys.set', to: '      keys.set' }],
    caughtBy: [
      {
        file: 'packages/server/test/identity/organizations/roles-in-organizations.test.ts',
        title: '[Q5] a revoked key is 401',
      },
    ],
  },
  {
    name: 'invited-without-the-mail',
    breaks: 'Whoever registered an address is a member without reading its mail.',
    rule: 'Q9',
    file: 'packages/server/src/identity/organizations/add-member.ts',
    edits: [
      {
        from: "await account.where('verified_at', 'is not', null).executeTakeFirst()",
        to: 'await account.executeTakeFirst()',
      },
    ],
    caughtBy: [
      { file: 'packages/server/test/identity/organizations/teams.test.ts', title: '[Q10] who registered the address' },
    ],
  },
  {
    name: 'last-owner-leaves',
    breaks: 'Two owners who leave at once leave an organization to nobody.',
    rule: 'Q11',
    file: 'packages/ledger/src/organizations/members.ts',
    edits: [
      {
        from: '=> owners.length === 1 && owners[0] === userId',
        to: '=> owners.length === 0 && owners[0] === userId',
      },
    ],
    caughtBy: [
      { file: 'packages/server/test/identity/organizations/teams.test.ts', title: '[Q11] the last owner stays' },
    ],
  },
]
