export { recordsOfRoom, recordsOfSale } from './verify/records-of-sale.ts'
