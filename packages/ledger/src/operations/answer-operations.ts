import { type Call, prepareStatement } from '../engine/index.ts'
import type { StoredAnswer } from './operation.ts'

const ANSWER_OPERATIONS = prepareStatement(import.meta.url, 'answer-operations.sql')

/** An operation that waited for its answer, and the answer. */
export interface AnsweredOperation {
  readonly actorId: string
  readonly key: string
  readonly answer: StoredAnswer
}

/** Calls answer-operations.sql. */
export function answersToStore(answered: readonly AnsweredOperation[]): Call[] {
  if (answered.length === 0) return []
  const parameters = [
    answered.map(({ actorId }) => actorId),
    answered.map(({ key }) => key),
    answered.map(({ answer }) => answer.statusCode),
    answered.map(({ answer }) => JSON.stringify(answer.body)),
  ]
  return [{ statement: ANSWER_OPERATIONS, parameters }]
}
