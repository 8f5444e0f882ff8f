import { showLocalTimes } from '../local-times.ts'

showLocalTimes()
