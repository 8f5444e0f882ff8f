import { runClocks, showCountdown } from '../countdowns.ts'
import { easeForms } from '../forms.ts'
import { showLocalTimes } from '../local-times.ts'

showLocalTimes()
showCountdown()
runClocks()
easeForms()
