export {
  addInvitations,
  claimInvitation,
  countInvitations,
  type InvitationKind,
  type InvitedRoom,
  isInvited,
  readVerifiedAddress,
  releaseInvitation,
  removeInvitations,
} from './invitations.ts'
export { addRefusals, type RefusalCount, type RefusalsOfRoom, readRefusals } from './refusals.ts'
export { appealVerdict, countAllowed, type JoinVerdict, keepVerdict, letStand, listVerdicts } from './verdicts.ts'
