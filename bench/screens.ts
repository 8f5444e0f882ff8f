/*
 * Writes pictures of every page and state to docs/screens: light on a desk, dark on a phone.
 *
 *   node bench/screens.ts              all of them
 *   node bench/screens.ts waiting      those of one part: waiting, buying, languages, console
 *
 * The Korean ones need a font with Korean letters (Debian: fonts-noto-cjk); without one they show boxes.
 */
import { mkdir } from 'node:fs/promises'
import type { BrowserContextOptions } from 'playwright-core'
import { openPageStage } from './support/page-stage.ts'
import { shootBuying } from './support/screens/buying.ts'
import { shootConsole } from './support/screens/console.ts'
import { shootLanguages } from './support/screens/languages.ts'
import { SCREENS, Shooting } from './support/screens/shooting.ts'
import { shootWaiting } from './support/screens/waiting.ts'

const PARTS = { buying: shootBuying, waiting: shootWaiting, languages: shootLanguages, console: shootConsole } as const
const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1000, height: 760 }, colorScheme: 'light' },
  dark: { viewport: { width: 390, height: 780 }, colorScheme: 'dark', hasTouch: true },
}

const [wanted] = process.argv.slice(2)
await mkdir(SCREENS, { recursive: true })
for (const [part, shoot] of Object.entries(PARTS)) {
  if (wanted !== undefined && wanted !== part) continue
  const stage = await openPageStage()
  try {
    for (const [device, options] of Object.entries(DEVICES)) {
      const shooting = await Shooting.open(stage, device, options)
      await shoot(shooting)
      await shooting.close()
    }
  } finally {
    await stage.close()
  }
}
