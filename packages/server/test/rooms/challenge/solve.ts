import { createHash } from 'node:crypto'

export interface TestChallenge {
  readonly algorithm: string
  readonly challenge: string
  readonly salt: string
  readonly signature: string
  readonly maxnumber: number
}

/** Tries all numbers, and returns the proof as it is sent. */
export function solve({ algorithm, challenge, salt, signature, maxnumber }: TestChallenge): string {
  for (let number = 0; number <= maxnumber; number++) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') === challenge) {
      return proofOf({ algorithm, challenge, number, salt, signature })
    }
  }
  throw new Error('The challenge has no solution')
}

export function proofOf(fields: object): string {
  return Buffer.from(JSON.stringify(fields)).toString('base64')
}

export function fieldsOf(proof: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(proof, 'base64').toString()) as Record<string, unknown>
}
