export { endGuest, endSession, endSessionsOf, forgetEnded } from './end-identities.ts'
export { type HandedTicket, keepHandoverCode, releaseHandoverCode, useHandoverCode } from './handover-codes.ts'
export { keepLastingKey } from './lasting-key.ts'
export { findMailLink, forgetMailLinks, keepMailLink } from './mail-links.ts'
export { ENDED_FROM_THE_START, type EndedIdentity, readEnded } from './read-ended.ts'
export { endSaleSessions, keepSaleSession } from './sale-sessions.ts'
export {
  type AccountSession,
  hasSession,
  isStrongSession,
  keepSession,
  listSessions,
  noteConfirmed,
  noteStrong,
  noteUsedSessions,
  readConfirmed,
} from './sessions.ts'
