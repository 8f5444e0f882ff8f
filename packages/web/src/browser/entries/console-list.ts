import { watchSales } from '../console/watch-sales.ts'
import { showLocalTimes } from '../local-times.ts'

showLocalTimes()
watchSales()
