#!/usr/bin/env -S node --max-semi-space-size=64
// Room for what a crowd's requests leave behind: copying those that wait was a fifth of a busy server's time.
// Runs on old versions of Node too, if only to say what is needed: no syntax and no imports newer than Node 20.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const MAJOR_NEEDED = 26
const major = Number(process.versions.node.split('.')[0])

if (major >= MAJOR_NEEDED) {
  // Half of a start is compiling. Beside the packages and not in a shared temporary folder, where others could change it.
  module.enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/seatwise', import.meta.url)))
  const { main } = await import('../src/main.ts')
  await main(process.argv.slice(2))
} else {
  runWithInstalledNode()
}

/** The project installs its own Node as an npm package, because many machines have an older one. */
function runWithInstalledNode() {
  const node = installedNode()
  if (node === null) {
    console.error(
      `Seatwise needs Node ${MAJOR_NEEDED} or later, and this is Node ${process.versions.node}: run "npm install" here, which brings it.`,
    )
    process.exit(1)
  }
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`Node could not be started from ${node}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function installedNode() {
  try {
    const require = createRequire(import.meta.url)
    const file = require.resolve('node/bin/node')
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}
