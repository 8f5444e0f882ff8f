export * from './check.ts'
export * from './check-records.ts'
export * from './fairness.ts'
export * from './records/json-lines.ts'
export { parseRecord } from './records/parse-record.ts'
export * from './records/records.ts'
export * from './report.ts'
export type { DrawVerdict, SignedRound } from './transparency/check-draw.ts'
export {
  checkPublicLog,
  type PublicLogOptions,
  type PublicLogVerdict,
  type Receipt,
} from './transparency/check-public-log.ts'
export { type Head, judgeHead, originOf, type PublishedKey } from './transparency/heads.ts'
export { isExtension } from './transparency/merkle.ts'
