import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './places.mjs'

/** package-lock.json must install the same bytes from any registry, and run no install script but what package.json allows. */
export async function checkLockFile() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const findings = lockFileFindings(lock, Object.keys(allowScripts))
  return { code: findings.length === 0 ? 0 : 1, output: findings.join('\n') }
}

export function lockFileFindings(lock, allowedScripts) {
  return Object.entries(lock.packages).flatMap(([place, entry]) => {
    const findings = []
    const isFromRegistry = place.includes('node_modules/') && !entry.link
    if (/^[a-z+]+:/.test(entry.resolved ?? '')) findings.push(`${place}: names a host (${entry.resolved})`)
    if (isFromRegistry && !entry.integrity) findings.push(`${place}: has no integrity hash`)
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (entry.hasInstallScript && !allowedScripts.includes(name))
      findings.push(`${place}: has an install script that package.json does not allow`)
    return findings
  })
}
