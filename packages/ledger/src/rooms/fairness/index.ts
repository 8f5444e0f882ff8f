export {
  type FairnessReport,
  isReportDue,
  keepReport,
  listReports,
  listUnreported,
  type PastReport,
  readReport,
} from './reports.ts'
export { readTicketFacts, type TicketFacts } from './ticket-facts.ts'
