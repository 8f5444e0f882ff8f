export { endGuest, endSession, endSessionsOf, forgetEnded } from './end-identities.ts'
export { keepLastingKey } from './lasting-key.ts'
export { ENDED_FROM_THE_START, type EndedIdentity, type EndedSince, readEnded } from './read-ended.ts'
