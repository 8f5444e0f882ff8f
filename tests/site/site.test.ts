import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openBrowser, removeFolder, temporaryFolder } from '@seatwise/testbench'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CELLS, sizeSale } from '../../site/browser/size-sale.ts'
import { figuresIn, readPapers, VERSION } from '../../site/papers.ts'
import { followLinks } from './links.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

let out: string
let site: string
let browser: Browser
beforeAll(async () => {
  out = await temporaryFolder()
  site = join(out, VERSION)
  // An older version that was built before: it stays, and every page offers it.
  mkdirSync(join(out, '0.1'))
  writeFileSync(join(out, '0.1/index.html'), '<!doctype html><title>Older</title>')
  ;[browser] = await Promise.all([openBrowser(), run(process.execPath, [join(root, 'site/build.ts'), '--out', out])])
}, 90_000)
afterAll(async () => {
  await browser?.close()
  await removeFolder(out)
})

const read = (name: string): string => readFileSync(join(site, name), 'utf8')

/** From the disk, without a network: what a page asks of other hosts is an error here. */
async function open(name: string, visit: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('requestfailed', (request) => errors.push(request.url()))
  await page.goto(pathToFileURL(join(site, name)).href)
  await visit(page)
  await context.close()
  expect(errors).toEqual([])
}

it('[Y50] every paper is a page, and every page of docs/ is in the contents', () => {
  const html = read('index.html')
  const contents = /<nav[\s\S]*<\/nav>/.exec(html)?.[0] ?? ''
  const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('runbooks/'))
    .map((name) => name.replace('README.md', 'index.md').replace(/\.md$/, '.html'))
  expect(guides.length).toBeGreaterThan(40)
  expect(guides.filter((name) => name !== 'index.html' && !contents.includes(`href="${name}"`))).toEqual([])
})

it('[Y51] every link leads somewhere, to the anchor, and nothing is loaded from another host', () => {
  const { count, broken, foreign } = followLinks(site, root)
  expect(count).toBeGreaterThan(3_000)
  expect(broken).toEqual([])
  expect(foreign).toEqual([])
})

it('[Y51 control] a link to nowhere, an anchor that is not there and a foreign script are found', async () => {
  const folder = join(out, 'control')
  mkdirSync(folder)
  const links =
    '<a href="none.html"></a><a href="#none"></a><a href="https://github.com/seatwise/seatwise/blob/v1/none.ts"></a>'
  writeFileSync(join(folder, 'index.html'), `${links}<script src="https://cdn.example/a.js"></script>`)
  const { broken, foreign } = followLinks(folder, root)
  expect([broken.length, foreign.length]).toEqual([3, 1])
  await removeFolder(folder)
})

it('[Y52] the reference has every command, every route and every metric', () => {
  const commands = readdirSync(join(root, 'packages/cli/src/commands')).map((name) => name.replace('.ts', ''))
  expect(commands.length).toBeGreaterThan(8)
  const reference = read('reference/commands.html')
  expect(commands.filter((name) => !reference.includes(`id="seatwise-${name}"`))).toEqual([])
  const routes = read('reference/api.html')
  for (const route of ['POST /api/events/{id}/queue/join', 'POST /api/purchases', 'GET /health/ready']) {
    expect(routes).toContain(`>${route} <a`)
  }
  const measured = read('reference/metrics.html')
  const alerts = readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8')
  const names = new Set(alerts.match(/seatwise_[a-z_]+?(?=_bucket|_count|_sum|\W)/g))
  expect(names.size).toBeGreaterThan(5)
  expect([...names].filter((name) => !measured.includes(name))).toEqual([])
})

it('[Y53] search finds a heading from a disk, without a network, and leads there', () =>
  open('guides/sre.html', async (page) => {
    await page.keyboard.press('/')
    await page.keyboard.type('replacing the secr')
    const hit = page.locator('#results a').first()
    await hit.waitFor()
    expect(await hit.textContent()).toContain('Replacing the secret')
    await page.keyboard.press('Enter')
    await page.waitForURL(/settings\.html#replacing-the-secret$/)
    await page.locator('#search').fill('xyzzy-plugh')
    await page.getByText('Nothing found.').waitFor()
  }))

it('[Y53] every page offers the other versions and the dark', () =>
  open('concepts.html', async (page) => {
    expect(await page.locator('#versions option').allTextContents()).toEqual([VERSION, '0.1'])
    expect(await page.locator('figure.diagram svg').count()).toBe(4)
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await paper()
    await page.click('#theme')
    expect(await paper()).not.toBe(light)
    await page.locator('#versions select').selectOption('0.1')
    await page.waitForURL(/\/0\.1\/index\.html$/)
  }))

it('[Y54] the calculator computes what docs/scaling.md tells as an example, from the measured figures', async () => {
  const sale = {
    visitors: 1e6,
    seats: 20_000,
    seatsPerOrder: 2,
    arrivalMinutes: 30,
    stayMinutes: 4,
    ratePerMinute: 600,
  }
  const figures = figuresIn(readPapers())
  const size = sizeSale(sale, figures)
  const text = readFileSync(join(root, 'docs/scaling.md'), 'utf8').replace(/\s+/g, ' ')
  const spelled = ['two', 'three', 'four', 'five'][size.processes - 2]
  expect(text).toContain(
    `${Math.round(size.joinsPerSecond).toLocaleString('en')} joins a second at the peak, ${spelled} processes, ${size.redisMegabytes} MB in Redis and a capacity of ${size.capacity.toLocaleString('en')}`,
  )
  const faster = { ...figures, [CELLS.joins]: 2 * (figures[CELLS.joins] ?? 0), [CELLS.waiting]: 1e7 }
  expect(sizeSale(sale, faster).processes).toBeLessThan(size.processes)
  await open('scaling.html', async (page) => {
    expect(await page.locator('#calculator td').first().textContent()).toBe('3,889')
    await page.getByLabel('Visitors', { exact: true }).fill('2000000')
    expect(await page.locator('#calculator td').first().textContent()).toBe('7,778')
  })
})
