import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench } from './operator.ts'

const WIDTH = 640
const HEIGHT = 480

it('[W80] a camera reads the e-ticket off the screen of a phone, with the browser’s reader or with ours', async () => {
  const id = await bench.openSale({ capacity: 100, burst: 100, ratePerMinute: 60_000, claimSeconds: 0 })
  const eticket = await bench.buy(id, 'Cleo')
  const phone = await bench.known(eticket.person)
  await phone.goto(`/etickets/${eticket.id}`)
  const door = await bench.seeing(await filmOf(phone), `/console/events/${id}/check-in`)
  expect(await door.evaluate("'BarcodeDetector' in window")).toBe(false)
  await door.click('button:has-text("Use the camera")')
  await door.waitForSelector('.scan >> text=Let them in')
  await door.locator('video').waitFor()
  expect(await axeFindings(door)).toEqual([])
  await door.click('button:has-text("Stop the camera")')
  await door.locator('video').waitFor({ state: 'detached' })

  // Where the browser has a reader of its own, that one is asked.
  await door.addInitScript((code) => {
    class BarcodeDetector {
      static getSupportedFormats = async () => ['qr_code']
      detect = async (video: HTMLVideoElement) => (video.videoWidth > 0 ? [{ rawValue: code }] : [])
    }
    Object.assign(window, { BarcodeDetector })
  }, eticket.code)
  await door.reload()
  await door.click('button:has-text("Use the camera")')
  await door.waitForSelector('.scan >> text=Already used')
  expect(await door.locator('.checks li').count()).toBe(0)
})

it('[W80] the page says that the camera is refused or missing, and typing works', async () => {
  const id = await bench.openSale({ capacity: 100, burst: 100, ratePerMinute: 60_000, claimSeconds: 0 })
  const { code } = await bench.buy(id, 'Dan')
  const page = await bench.at(`/console/events/${id}/check-in`)
  await page.click('button:has-text("Use the camera")')
  await page.getByRole('alert').filter({ hasText: 'Camera access was denied' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }))
  await page.reload()
  await page.getByText('No camera: browsers').waitFor()
  expect(await page.getByRole('button', { name: 'Use the camera' }).count()).toBe(0)
  await page.fill('input[name=code]', code)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.scan >> text=Let them in')
  expect(await axeFindings(page)).toEqual([])
})

/** What a camera would see of the code on a page: a film of one picture, in the format that Chromium plays as one. */
async function filmOf(page: Page): Promise<Buffer> {
  const light = await page.evaluate(
    async ([width, height]) => {
      const code = document.querySelector('.qr svg')
      const picture = new Image()
      picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(code as Node))}`
      await picture.decode()
      const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D
      context.fillStyle = '#ddd'
      context.fillRect(0, 0, width, height)
      context.drawImage(picture, (width - height) / 2 + 20, 20, height - 40, height - 40)
      const { data } = context.getImageData(0, 0, width, height)
      return Array.from({ length: width * height }, (_unused, index) => data[index * 4] ?? 0)
    },
    [WIDTH, HEIGHT] as const,
  )
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F5:1 Ip A1:1 C420jpeg\nFRAME\n`),
    Buffer.from(light),
    colours,
  ])
}
