import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
/** What dark and light may disagree about; the rest of a page is the same, and is judged once. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

interface Found {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** What axe finds wrong with a page or a part of it as it is now, in light and in dark. */
export async function axeFindings(page: Page, part = 'html'): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(endTransitions)
    const rules = colorScheme === 'dark' ? { runOnly: OF_COLOURS } : {}
    for (const { id, nodes } of await violationsOf(page, part, rules)) {
      for (const node of nodes) found.push(`${colorScheme}: ${id}: ${node.html} ${node.failureSummary}`.slice(0, 400))
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  return found
}

/** A colour on its way to another is neither. Runs in the page. */
async function endTransitions(): Promise<void> {
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
}

async function violationsOf(page: Page, part: string, rules: object): Promise<readonly Found[]> {
  // Not as a script of the page, which its policy would refuse; once for each document, for it is large.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  // What is right is counted but not described, which takes most of the time.
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules })
  return await page.evaluate(`axe.run('${part}', ${options}).then(({ violations }) => violations)`)
}
