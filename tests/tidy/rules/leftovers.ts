import { type Finding, isCode, isTest, type Source } from '../sources.ts'

// Written in two halves so that this file does not find itself.
const UNFINISHED = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`)
const NOT_RUN = new RegExp(
  `\\b(describe|it|test|suite)\\.(${['on' + 'ly', 'sk' + 'ip', 'to' + 'do', 'skip' + 'If', 'run' + 'If'].join('|')})\\b`,
)
const MACHINE_PATH = new RegExp(
  [
    '/ho' + 'me/\\w',
    '/Us' + 'ers/\\w',
    '/ro' + 'ot/\\w',
    '/wo' + 'rk/\\w',
    '\\.\\./sha' + 'red/',
    '[A-Z]:\\\\\\\\Us' + 'ers',
  ].join('|'),
)
const DOUBLE_CAST = new RegExp('\\bas unk' + 'nown as\\b')
const SLEEPING = /\bawait (?:sleep|delay|pause|setTimeout)\(/

export function unfinishedWork(sources: readonly Source[]): Finding[] {
  return linesMatching(sources, () => true, UNFINISHED, 'finish it, or open an issue')
}

export function testsNotRun(sources: readonly Source[]): Finding[] {
  return linesMatching(sources, isTest, NOT_RUN, 'every test runs, and all of them do')
}

export function doubleCasts(sources: readonly Source[]): Finding[] {
  return linesMatching(sources, isCode, DOUBLE_CAST, 'mend the type, or check the value')
}

export function machinePaths(sources: readonly Source[]): Finding[] {
  return linesMatching(sources, () => true, MACHINE_PATH, 'a path of one machine')
}

export function sleepingTests(sources: readonly Source[]): Finding[] {
  return linesMatching(
    sources,
    (path) => path.endsWith('.test.ts'),
    SLEEPING,
    'wait for the condition, or move the clock',
  )
}

/** A header says purpose, parameters, reply and locks. A migration is told by its name. */
export function missingHeaders(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ path }) => /^packages\/.*\.(sql|lua)$/.test(path) && !path.includes('/migrations/'))
    .filter(({ text }) => !text.startsWith('--'))
    .map(({ path }) => `${path} does not begin with a comment that says what it does`)
}

function linesMatching(
  sources: readonly Source[],
  isMeant: (path: string) => boolean,
  pattern: RegExp,
  advice: string,
): Finding[] {
  return sources
    .filter(({ path }) => (isCode(path) || path.endsWith('.md')) && isMeant(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 80)} (${advice})`] : [],
        ),
    )
}
