import { type Finding, isTest, type Source } from '../sources.ts'

const RULE = /^- \*\*([A-Z]\d+)\*\* (.+)$/
const TITLE = /\b(?:it|test)(?:\.\w+)?\(\s*(['"`])(.*?)\1/gs
const EACH_TITLE = /\b(?:it|test)(?:\.concurrent)?\.(?:each|for)\([\s\S]*?\)\(\s*(['"`])(.*?)\1/g
// A table of cases may carry the rule of each: `it.each([['[S1]', …]])('%s …')`.
const RULE_OF_A_CASE = /(['"`])(\[[A-Z]\d+[^\]]*\])\1/g
const FILLED_IN = /^(%s|\$)/
const NAMED_AT_START = /^(?:\[[^\]]+\]\s*)+/

/** A rule by its id, with the file that states it. */
export interface Rule {
  readonly id: string
  readonly path: string
}

export function rulesIn(sources: readonly Source[]): Rule[] {
  return sources
    .filter(({ path }) => /^spec\/[^/]+\.md$/.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => {
        const id = RULE.exec(line)?.[1]
        return id === undefined ? [] : [{ id, path }]
      }),
    )
}

/** Titles of tests as written, with the file they are in. Templates count by their literal beginning. */
export function titlesIn(sources: readonly Source[]): { title: string; path: string }[] {
  return sources
    .filter(({ path }) => isTest(path) && !/\/(fixtures|rules)\/|^tests\/planted\/defects\//.test(path))
    .flatMap(({ path, text }) =>
      [TITLE, EACH_TITLE, RULE_OF_A_CASE]
        .flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[2] ?? ''))
        .filter((title) => !FILLED_IN.test(title))
        .map((title) => ({ title, path })),
    )
}

/** A rule line that is not in the form `- **A1** Sentence.` would silently not count. */
export function malformedRules(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ path }) => /^spec\/[^/]+\.md$/.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => /^\s*[-*] \**[A-Z]\d+\b/.test(line) && !RULE.test(line))
        .map((line) => `${path}: "${line.slice(0, 60)}" is not in the form "- **A1** Sentence."`),
    )
}

export function repeatedRules(rules: readonly Rule[]): Finding[] {
  return rules
    .filter(({ id }, index) => rules.findIndex((other) => other.id === id) !== index)
    .map(({ id, path }) => `${path} states ${id} a second time`)
}

export function unprovedRules(sources: readonly Source[]): Finding[] {
  const proved = new Set(titlesIn(sources).flatMap(({ title }) => namedRules(title)))
  return rulesIn(sources)
    .filter(({ id }) => !proved.has(id))
    .map(({ id, path }) => `${path}: no test title names ${id}`)
}

export function unknownRules(sources: readonly Source[]): Finding[] {
  const known = new Set(rulesIn(sources).map(({ id }) => id))
  return titlesIn(sources).flatMap(({ title, path }) =>
    namedRules(title)
      .filter((id) => !known.has(id))
      .map((id) => `${path}: "${title}" names ${id}, which no file in spec/ states`),
  )
}

export function titlesWithoutRule(sources: readonly Source[]): Finding[] {
  return titlesIn(sources)
    .filter(({ title }) => namedRules(title).length === 0)
    .map(({ title, path }) => `${path}: "${title}" does not start with the rule it proves`)
}

/** `[A1] …`, `[A1 A2] …`, `[A1] [A2] …`, `[A1 control] …`. */
function namedRules(title: string): string[] {
  const brackets = NAMED_AT_START.exec(title)?.[0] ?? ''
  return [...brackets.matchAll(/\b[A-Z]\d+\b/g)].map((match) => match[0])
}
