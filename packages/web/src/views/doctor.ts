import type { Language } from '../language.ts'
import type { en } from '../words/en.ts'
import { WORDS } from '../words/index.ts'
import { say } from '../words/say.ts'

/** What can be wrong with a deployment. */
export type DoctorProblem = keyof (typeof en)['console']['doctor']['says']

export function sayFinding(
  language: Language,
  problem: DoctorProblem,
  facts: Readonly<Record<string, string>>,
): string {
  return say(language, WORDS[language].console.doctor.says[problem], facts)
}
