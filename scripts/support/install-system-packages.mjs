import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { giveUp } from './give-up.mjs'
import { runQuietly } from './run.mjs'

// What the tests start by themselves, and the Debian package it comes in.
const NEEDED = [
  { package: 'redis-server', isThere: () => isInPath(['redis-server']) },
  { package: 'postgresql', isThere: () => isInPath(['initdb']) || hasDebianPostgres() },
  { package: 'chromium', isThere: () => isInPath(['chromium', 'chromium-browser', 'google-chrome']) },
]

/** Installs what is missing when it may, and otherwise says in one sentence what to install. */
export async function installSystemPackages() {
  const missing = NEEDED.filter((needed) => !needed.isThere()).map((needed) => needed.package)
  if (missing.length === 0) return
  const prefix = await rootPrefix()
  if (prefix === undefined || !isInPath(['apt-get'])) {
    giveUp(
      `The tests need ${missing.join(', ')}; install them (on Debian: sudo apt-get install ${missing.join(' ')}) and run again.`,
    )
  }
  console.log(`Installing ${missing.join(', ')} with apt-get (a minute or two, once) …`)
  await withoutStartingServices(prefix, async () => {
    await aptGet(prefix, ['update'])
    await aptGet(prefix, ['install', '--yes', '--no-install-recommends', ...missing])
  })
}

/** What to put before a command so that it runs as root, or undefined when we may not. */
async function rootPrefix() {
  if (process.getuid() === 0) return []
  if (!isInPath(['sudo'])) return undefined
  const { code } = await runQuietly('sudo', ['-n', 'true'])
  return code === 0 ? ['sudo', '-n'] : undefined
}

async function aptGet(prefix, args) {
  // `env` because sudo does not pass the environment on.
  const [program, ...rest] = [
    ...prefix,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'RUNLEVEL=1',
    'apt-get',
    '--quiet',
    ...args,
  ]
  const { code, output } = await runQuietly(program, rest)
  if (code === 0) return
  throw new AptGetFailed(
    `apt-get ${args.join(' ')} failed with ${code}; install the packages yourself and run again:\n${output.trimEnd()}`,
  )
}

class AptGetFailed extends Error {}

/** Debian starts a service as soon as it is installed. We want the programs only: the tests start private ones. */
async function withoutStartingServices(prefix, act) {
  const policy = '/usr/sbin/policy-rc.d'
  const isOurs = prefix.length === 0 && !existsSync(policy)
  const remove = () => rmSync(policy, { force: true })
  if (isOurs) {
    writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
    process.on('exit', remove)
  }
  try {
    await act()
  } catch (error) {
    if (error instanceof AptGetFailed) giveUp(error.message)
    throw error
  } finally {
    if (isOurs) {
      remove()
      process.off('exit', remove)
    }
  }
}

function isInPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))))
}

/** Debian keeps initdb out of PATH, one folder per version. */
function hasDebianPostgres() {
  const folder = '/usr/lib/postgresql'
  return existsSync(folder) && readdirSync(folder).some((version) => existsSync(join(folder, version, 'bin', 'initdb')))
}
