import { runClocks, showCountdown } from '../countdowns.ts'
import { easeForms } from '../forms.ts'
import { showOwnTimes } from '../own-times.ts'

showOwnTimes()
showCountdown()
runClocks()
easeForms()
