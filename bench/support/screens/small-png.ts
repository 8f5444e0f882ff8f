import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const PALETTE_MAX = 256

/**
 * The same picture with at most 256 colours, a third as large: pictures of pages are paper, ink and a few shades.
 * Reads what browsers write: 8 bits, colour with or without alpha, not interlaced.
 */
export function makeSmall(png: Buffer): Buffer {
  const { width, height, colours } = readPixels(png)
  const palette = paletteOf(colours)
  const indexes = new Map(palette.map((colour, index) => [colour, index]))
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = colours[y * width + x] ?? 0
      const index = indexes.get(colour) ?? nearest(palette, colour)
      indexes.set(colour, index)
      rows[y * (width + 1) + 1 + x] = index
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const entries = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', entries),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** The colours that are there most often. */
function paletteOf(colours: Uint32Array): number[] {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const often = [...counts].sort(([, one], [, other]) => other - one)
  return often.slice(0, PALETTE_MAX).map(([colour]) => colour)
}

function nearest(palette: readonly number[], colour: number): number {
  let [best, bestDistance] = [0, Number.POSITIVE_INFINITY]
  for (const [index, other] of palette.entries()) {
    const [red, green, blue] = [16, 8, 0].map((shift) => ((colour >> shift) & 255) - ((other >> shift) & 255))
    const distance = (red ?? 0) ** 2 + (green ?? 0) ** 2 + (blue ?? 0) ** 2
    if (distance < bestDistance) [best, bestDistance] = [index, distance]
  }
  return best
}

function readPixels(png: Buffer): { width: number; height: number; colours: Uint32Array } {
  const [width, height, type] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]]
  const size = type === 6 ? 4 : 3
  const bytes = unfilter(inflateSync(dataOf(png)), width * size, height, size)
  const colours = new Uint32Array(width * height)
  for (let index = 0; index < colours.length; index += 1) colours[index] = bytes.readUIntBE(index * size, 3)
  return { width, height, colours }
}

function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return Buffer.concat(parts)
}

/** Each row was stored as its difference from what stands left and above; this adds it up again. */
function unfilter(stored: Buffer, stride: number, height: number, size: number): Buffer {
  const bytes = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y += 1) {
    const filter = stored[y * (stride + 1)]
    for (let x = 0; x < stride; x += 1) {
      const left = x < size ? 0 : (bytes[y * stride + x - size] ?? 0)
      const above = y === 0 ? 0 : (bytes[(y - 1) * stride + x] ?? 0)
      const corner = x < size || y === 0 ? 0 : (bytes[(y - 1) * stride + x - size] ?? 0)
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0
      bytes[y * stride + x] = (stored[y * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  return bytes
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(guess - value))
  if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left
  return (toAbove ?? 0) <= (toCorner ?? 0) ? above : corner
}
