/*
 * Draws the pictures that README.md and the pages of docs/ show, into docs/screens:
 *
 *   node bench/screens.ts
 *
 * A picture that is not drawn any more is deleted; tests/tidy compares the folder with what the pages show.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openPageStage } from './support/page-stage.ts'
import { drawBuying } from './support/screens/buying.ts'
import { drawConsole } from './support/screens/console.ts'
import { SCREENS, Studio } from './support/screens/studio.ts'
import { drawWaiting } from './support/screens/waiting.ts'

await mkdir(SCREENS, { recursive: true })
const drawn = new Set<string>()
for (const draw of [drawBuying, drawWaiting, drawConsole]) {
  const stage = await openPageStage()
  try {
    await draw(new Studio(stage, drawn))
  } finally {
    await stage.close()
  }
}
for (const name of await readdir(SCREENS)) {
  if (!drawn.has(name)) await rm(join(SCREENS, name))
}
