export { type ApiKey, createApiKey, listApiKeys, noteKeysUsed, revokeApiKey } from './api-keys.ts'
export { findSubject, type Subject, type SubjectKind } from './find-subject.ts'
export { followRole } from './follow-role.ts'
export {
  editHost,
  type HostChange,
  type HostRow,
  imageUrl,
  readHost,
  type StoredImage,
  setLogo,
  toHost,
  toImage,
} from './hosts.ts'
export {
  type Invitation,
  keepInvitation,
  listInvitations,
  readInvitation,
  takeInvitation,
  withdrawInvitation,
} from './invitations.ts'
export {
  endMemberships,
  forgetFormerMembers,
  listMembers,
  listOnlyOwned,
  type Member,
  type MemberChange,
  readMember,
  removeMember,
  setMember,
  setMemberInside,
} from './members.ts'
export { countOwned, createOrganization, firstOrganization, HOUSE_ID, ownOrganizationOf } from './organizations.ts'
export { type KeyFact, type Membership, readTeams, TEAMS_FROM_THE_START } from './read-teams.ts'
