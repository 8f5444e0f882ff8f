#!/usr/bin/env -S node --max-semi-space-size=64
// Room for what a crowd's requests leave behind: copying those that wait was a fifth of a busy server's time.
// Runs on old versions of Node too, if only to say what is needed: no syntax and no imports newer than Node 20.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// The build names the compiled file here.
const PROGRAM = '../src/main.ts'
const MAJOR_NEEDED = 26
const major = Number(process.versions.node.split('.')[0])
const node = major >= MAJOR_NEEDED ? null : installedNode()
if (node !== null) {
  runWith(node)
} else if (major >= MAJOR_NEEDED) {
  // Half of a start is compiling. Beside the packages and not in a shared temporary folder, where others could change it.
  module.enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/seatwise', import.meta.url)))
  const { main } = await import(PROGRAM)
  await main(process.argv.slice(2))
} else {
  console.error(
    `Seatwise needs Node ${MAJOR_NEEDED} or later, and this is Node ${process.versions.node}: run "npm install" here, which brings it.`,
  )
  process.exit(1)
}

/** Seatwise brings its own Node as an npm package, because many machines have an older one. */
function runWith(node) {
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

/** In the repository as the package `node`, beside the published command as the one for this platform. */
function installedNode() {
  const platform = `${process.platform}-${process.arch}`
  const { resolve } = createRequire(import.meta.url)
  for (const name of ['node', `node-${platform}`, `node-bin-${platform}`]) {
    try {
      const file = resolve(`${name}/bin/node`)
      if (existsSync(file)) return file
    } catch {
      // Not installed under this name.
    }
  }
  return null
}
