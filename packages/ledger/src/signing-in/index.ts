export { keepChallenge, useChallenge } from './challenges.ts'
export {
  isOutsideAccount,
  noteOutsideRole,
  type OutsideIdentity,
  openOutsideAccount,
  readOutsideRole,
} from './outside-identities.ts'
export {
  countRecoveryCodes,
  deletePasskey,
  keepPasskey,
  listPasskeys,
  notePasskeyUse,
  type Passkey,
  readPasskey,
  renamePasskey,
  replaceRecoveryCodes,
  useRecoveryCode,
} from './passkeys.ts'
export {
  askForSignIn,
  keepSignInHashes,
  readAskedSignIn,
  readSignInLink,
  type SignInMail,
  trySignInCode,
  useSignInMail,
} from './sign-in-codes.ts'
export { openVerifiedAccount } from './verified-account.ts'
