import { watchSales } from '../console/sale/watch-sales.ts'
import { showOwnTimes } from '../own-times.ts'

showOwnTimes()
watchSales()
