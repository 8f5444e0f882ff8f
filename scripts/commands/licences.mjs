import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { licencesOf } from '../support/licences.mjs'
import { root } from '../support/places.mjs'

/** Needs nothing but the lock file, so that it runs before anything is installed. */
export function licences() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { rows, findings } = licencesOf(lock)
  for (const { use, licence, names } of rows) {
    console.log(`${use.padEnd(7)} ${licence.padEnd(40)} ${String(names.length).padStart(4)}  ${names.join(' ')}`)
  }
  for (const finding of findings) console.error(finding)
  process.exitCode = findings.length === 0 ? 0 : 1
}
