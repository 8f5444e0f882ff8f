import { showOwnTimes } from '../own-times.ts'
import { armPasskeys } from '../passkeys.ts'

showOwnTimes()
armPasskeys()
