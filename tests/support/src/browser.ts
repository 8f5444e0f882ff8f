import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'

/** What distributions call it, the free one first. */
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome']
/** The same engine without windows, menus and the processes that draw them. It has no camera. */
const SHELL = ['chromium-headless-shell']

const FLAGS = [
  // Test machines run as root, where Chromium's own sandbox refuses to start.
  '--no-sandbox',
  // It would report to its makers and look for updates; tests talk to this machine only.
  '--disable-background-networking',
  '--disable-component-update',
  // Containers often have a tiny /dev/shm, and a page then crashes without a word.
  '--disable-dev-shm-usage',
  // Distributions switch on drawing by a graphics card, which a machine without one imitates at some cost.
  '--disable-gpu',
  // It would keep one process more for each device, in case it goes to another site.
  '--renderer-process-limit=1',
]

/**
 * A real browser without a window. A device is `browser.newContext()`: it has its own cookies and storage, and its
 * pages are tabs. Share one browser among the tests of a file, and close it in `afterAll`.
 */
export async function openBrowser(): Promise<Browser> {
  return await launch([...SHELL, ...WHOLE], [])
}

/** With what only the whole program has, such as a camera; `flags` are added to ours. */
export async function openWholeBrowser(flags: readonly string[]): Promise<Browser> {
  return await launch(WHOLE, flags)
}

async function launch(names: readonly string[], flags: readonly string[]): Promise<Browser> {
  // Loaded here, because every test imports this package and few need a browser.
  const { chromium } = await import('playwright-core')
  return await chromium.launch({ executablePath: find(names), args: [...FLAGS, ...flags] })
}

function find(names: readonly string[]): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (found === undefined) throw new Error(`Tests of pages need Chromium: none of ${names.join(', ')} is in the path`)
  return found
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
