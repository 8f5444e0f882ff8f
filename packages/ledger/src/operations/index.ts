export type { OperationKey, StoredAnswer } from './operation.ts'
export { isOwn } from './owner.ts'
export { readOperation, type StoredOperation } from './read-operation.ts'
export { storeAnswer, storeAnswerInside } from './store-answer.ts'
