export { main } from './main.ts'
export { LogRecords } from './verify/log-records.ts'
export { recordsOfRoom, recordsOfSale } from './verify/records-of-sale.ts'
