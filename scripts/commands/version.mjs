import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveUp } from '../support/give-up.mjs'
import { installPackages } from '../support/install-packages.mjs'
import { node26, root } from '../support/places.mjs'
import { runQuietly } from '../support/run.mjs'

const CHANGESETS = '.changeset'
/** What names the version besides the manifests that changesets knows. */
const ALSO = ['package.json', 'package-lock.json', 'docs/guides/integrator.md']

/** One version everywhere: a package that did not change is released with the others. */
export async function version() {
  await installPackages()
  const before = versionNow()
  const changes = readChanges()
  if (changes.length === 0) giveUp(`There is no changeset in ${CHANGESETS}; add one with: npx changeset`)
  const tool = join(root, 'node_modules', '@changesets', 'cli', 'bin.js')
  const { code, output } = await runQuietly(node26, [tool, 'version'])
  if (code !== 0) giveUp(`changeset version failed; this is what it said:\n${output.trimEnd()}`)
  const after = versionNow()
  const examples = readdirSync(join(root, 'examples')).map((name) => join('examples', name, 'package.json'))
  for (const path of [...ALSO, ...examples]) rewrite(path, (text) => withVersion(text, before, after))
  rewrite('CHANGELOG.md', (text) => withChanges(text, after, changes))
  console.log(`${before} → ${after}, with ${changes.length} changes`)
}

function versionNow() {
  return JSON.parse(readFileSync(join(root, 'packages', 'client', 'package.json'), 'utf8')).version
}

/** The texts of the changesets, without the packages that they name. */
function readChanges() {
  return readdirSync(join(root, CHANGESETS))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
    .map((name) =>
      readFileSync(join(root, CHANGESETS, name), 'utf8')
        .replace(/^---\n[\s\S]*?\n---\n/, '')
        .trim(),
    )
}

/** Ours only: a package of others may have the same version. */
function withVersion(text, before, after) {
  const own = /("name": "(?:@seatwise\/[a-z]+|seatwise[a-z-]*)",\n\s*"version": ")([^"]*)"/g
  const asked = /("@seatwise\/[a-z]+": ")([^"]*)"/g
  const raise = (whole, lead, found) => (found === before ? `${lead}${after}"` : whole)
  return text.replace(own, raise).replace(asked, raise).replaceAll(`-${before}.tgz`, `-${after}.tgz`)
}

function withChanges(text, after, changes) {
  const lines = changes.map((change) => `- ${change.replaceAll('\n', '\n  ')}`).join('\n')
  return text.replace(/^## /m, `## ${after}\n\n${lines}\n\n## `)
}

function rewrite(path, change) {
  const place = join(root, path)
  writeFileSync(place, change(readFileSync(place, 'utf8')))
}
