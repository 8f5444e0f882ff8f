import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { root } from './places.mjs'

/**
 * Runs a program in the repository with our terminal, our signals and Node 26 first in PATH; resolves with its exit code.
 * The program stays in our process group, so that a signal to the group ends it too. It may be given a time limit.
 */
export function run(program, args, settings = {}, timeoutMs = 0) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: environment(settings), timeout: timeoutMs })
    const stopForwarding = forwardSignals(child)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      stopForwarding()
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/** Runs a program and resolves with its exit code and everything it printed. */
export function runQuietly(program, args, settings = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment(settings) })
    const stopForwarding = forwardSignals(child)
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      stopForwarding()
      resolve({ code: code ?? 128 + constants.signals[signal], output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

function environment(settings) {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return { ...process.env, PATH: path, ...settings }
}

/** npm passes signals on to us; one that is killed outright cannot, so we also notice that our parent is gone. */
function forwardSignals(child) {
  const forward = (signal) => {
    // At a terminal, Ctrl-C reaches the whole process group; a second copy would count as a second Ctrl-C.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500)
  return () => {
    clearInterval(watch)
    for (const signal of signals) process.off(signal, forward)
  }
}
