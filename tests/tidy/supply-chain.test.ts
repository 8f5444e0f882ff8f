import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { licencesOf } from '../../scripts/support/licences.mjs'
import { root } from './sources.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const WORKFLOWS = '.github/workflows'
const workflows = readdirSync(join(root, WORKFLOWS)).map((name) => ({ name, text: read(`${WORKFLOWS}/${name}`) }))

it('[Y60] every package has a licence that was accepted for its use', () => {
  const { rows, findings } = licencesOf(JSON.parse(read('package-lock.json')))
  expect(rows.flatMap(({ names }) => names).length).toBeGreaterThan(300)
  expect(findings).toEqual([])
})

it('[Y60 control] a foreign licence, none, and a tool’s licence in what is shipped are found', () => {
  const judge = (entry: object) => licencesOf({ packages: { 'node_modules/left-pad': entry } }).findings.length
  expect([{ license: 'AGPL-3.0' }, {}, { license: 'EPL-2.0' }].map(judge)).toEqual([1, 1, 1])
  expect([{ license: 'EPL-2.0', dev: true }, { license: '(AGPL-3.0 OR MIT)' }].map(judge)).toEqual([0, 0])
  expect(judge({ license: 'MIT AND AGPL-3.0' })).toBe(1)
})

/** Commands and files that a workflow names and the repository lacks, and jobs without a bound or a stated permission. */
function wrongIn({ name, text }: { name: string; text: string }): string[] {
  const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)
  const jobs = text
    .slice(text.indexOf('\njobs:'))
    .split(/^ {2}(?=[a-z-]+:$)/m)
    .slice(1)
  return [
    ...[...text.matchAll(/npm run ([a-z:]+)/g)].flatMap(([, run = '']) =>
      scripts.includes(run) ? [] : [`npm run ${run}`],
    ),
    ...(text.match(/\.ci\/run|deploy\/Dockerfile/g) ?? []).filter((path) => !existsSync(join(root, path))),
    ...jobs.filter((job) => !/^ {4}timeout-minutes: \d+$/m.test(job)).map((job) => `${job.split(':')[0]} has no bound`),
    ...(/^permissions: \{ contents: read \}$/m.test(text) ? [] : ['it may do more than read']),
    ...(/secrets\./.test(text) ? ['it needs a secret'] : []),
  ].map((finding) => `${name}: ${finding}`)
}

it('[Y61] workflows run what exists, with a bound, with no more rights than they need, and without stored secrets', () => {
  expect(workflows.map(({ name }) => name).toSorted()).toEqual(['check.yml', 'release.yml'])
  expect(workflows.flatMap(wrongIn)).toEqual([])
  const [check = '', release = ''] = workflows.map(({ text }) => text)
  for (const part of ['.ci/run', 'npm audit signatures', 'npm run bench', 'npm run build', 'docker build'])
    expect(check).toContain(part)
  for (const part of ['--provenance', 'id-token: write', 'provenance: mode=max', 'sbom: true'])
    expect(release).toContain(part)
})

it('[Y61 control] a script that does not exist, a job without a bound, a secret and too many rights are found', () => {
  const text =
    'on: push\njobs:\n  test:\n    steps:\n      - run: npm run nothing\n      - run: echo $${{ secrets.TOKEN }}\n'
  expect(wrongIn({ name: 'wrong.yml', text })).toHaveLength(4)
})

it('[Y61] updates of every kind of dependency are proposed, none on the day it was published', () => {
  const text = read('.github/dependabot.yml')
  const kinds = text.split(/^ {2}- package-ecosystem: /m).slice(1)
  expect(kinds.map((kind) => kind.split('\n', 1)[0]).toSorted()).toEqual(['docker', 'github-actions', 'npm', 'npm'])
  expect(kinds.filter((kind) => kind.startsWith('npm') && !kind.includes('cooldown: { default-days: 7 }'))).toEqual([])
})
