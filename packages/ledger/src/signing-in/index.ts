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
