import { watchSales } from '../console/watch-sales.ts'
import { showOwnTimes } from '../own-times.ts'

showOwnTimes()
watchSales()
