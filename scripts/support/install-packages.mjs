import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { giveUp } from './give-up.mjs'
import { node26, root } from './places.mjs'
import { runQuietly } from './run.mjs'

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/** Runs `npm ci` unless node_modules already is what package-lock.json asks for. Needs no network in that case. */
export async function installPackages() {
  requirePlatform()
  const stampFile = join(root, 'node_modules', '.seatwise-install')
  const stamp = wantedStamp()
  if (readIfThere(stampFile) === stamp) return
  if (!isInstalledByHand()) {
    console.log('Installing packages (about a minute, once) …')
    await npmCi()
  }
  await requireNode26()
  writeFileSync(stampFile, stamp)
}

function requirePlatform() {
  const platform = `${process.platform}-${process.arch}`
  if (!PLATFORMS.includes(platform)) giveUp(`Seatwise runs on ${PLATFORMS.join(', ')}; this machine is ${platform}.`)
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
  if (isMusl) giveUp('Seatwise needs a Linux with glibc (Debian, Ubuntu, Fedora, …); this one has musl.')
}

/** Platform and architecture belong to it because node_modules may be carried to another machine. */
function wantedStamp() {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return `${process.platform}-${process.arch} ${hash}\n`
}

/** After a manual `npm install`, `npm ci` is not needed. npm records what it installed in node_modules. */
function isInstalledByHand() {
  const installedText = readIfThere(join(root, 'node_modules', '.package-lock.json'))
  if (installedText === undefined) return false
  const installed = JSON.parse(installedText).packages
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted)
    .filter(([place, entry]) => place.startsWith('node_modules/') && !entry.link && !entry.optional)
    .every(([place, entry]) => installed[place]?.version === entry.version)
}

/** Development packages too, whatever NODE_ENV says: Node 26 is one of them. */
async function npmCi() {
  const npm = npmCommand()
  const args = [...npm.args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await runQuietly(npm.program, args).catch((error) => ({ code: 1, output: String(error) }))
  if (code === 0) return
  giveUp(`Installing packages failed (npm ci ended with ${code}); this is what npm said:\n${output.trimEnd()}`)
}

/** The npm that runs us, or the one in PATH when a script was called directly. */
function npmCommand() {
  const running = process.env.npm_execpath
  const isNpm = running !== undefined && basename(running) === 'npm-cli.js'
  return isNpm ? { program: process.execPath, args: [running] } : { program: 'npm', args: [] }
}

async function requireNode26() {
  const { code, output } = await runQuietly(node26, ['--version']).catch((error) => ({
    code: 1,
    output: String(error),
  }))
  if (code === 0) return
  giveUp(
    `Packages are installed, but Node 26 does not run; allow install scripts (npm config get ignore-scripts), remove node_modules and try again:\n${output.trimEnd()}`,
  )
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
