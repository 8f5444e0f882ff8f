import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { giveUp } from './give-up.mjs'
import { root } from './places.mjs'
import { runQuietly } from './run.mjs'

// What the tests start by themselves, and the Debian package it comes in.
const FOR_TESTS = [
  { name: 'redis-server', isThere: () => isInPath(['redis-server']) },
  { name: 'postgresql', isThere: () => isInPath(['initdb']) || hasDebianPostgres() },
  // Debian keeps it where only root looks.
  { name: 'nginx-light', isThere: () => isInPath(['nginx']) || existsSync('/usr/sbin/nginx') },
  // Reads the PDFs that the server writes.
  { name: 'poppler-utils', isThere: () => isInPath(['pdftotext']) },
  {
    name: 'chromium',
    isThere: () => isInPath(['chromium', 'chromium-browser', 'google-chrome']),
    // The same engine without windows makes tests of pages cheaper; they run without it.
    together: ['chromium-headless-shell'],
  },
]

// The outside driver of the measurements.
const WRK = { name: 'wrk', isThere: () => isInPath(['wrk']) }

/** Installs what is missing when it may, and otherwise says in one sentence what to install. */
export async function installSystemPackages() {
  await install('The tests', FOR_TESTS)
}

/** The measurements start what the tests start, and drive it with wrk. */
export async function installBenchPackages() {
  await install('The measurements', [...FOR_TESTS, WRK])
}

async function install(who, needed) {
  const absent = needed.filter(({ isThere }) => !isThere())
  const missing = absent.map(({ name }) => name)
  if (missing.length === 0) return
  const asRoot = await rootPrefix()
  if (asRoot === undefined || !isInPath(['apt-get'])) {
    giveUp(`${who} need ${missing.join(', ')}: install them (on Debian: sudo apt-get install ${missing.join(' ')}).`)
  }
  console.log(`Installing ${missing.join(', ')} with apt-get (a minute or two, once) …`)
  const script = join(root, 'scripts', 'support', 'install-debian-packages.sh')
  const packages = absent.flatMap(({ name, together = [] }) => [name, ...together])
  const [program, ...args] = [...asRoot, 'sh', script, ...packages]
  const { code, output } = await runQuietly(program, args)
  if (code !== 0) giveUp(`apt-get could not install ${missing.join(', ')}; this is what it said:\n${output.trimEnd()}`)
}

/** What to put before a command so that it runs as root, or undefined when we may not. */
async function rootPrefix() {
  if (process.getuid() === 0) return []
  if (!isInPath(['sudo'])) return undefined
  const { code } = await runQuietly('sudo', ['-n', 'true'])
  return code === 0 ? ['sudo', '-n'] : undefined
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
