import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The text of each page of a PDF, read by a program that shares no code with the one that wrote it. */
export async function readPdf(bytes: Uint8Array): Promise<string[]> {
  const pages = await withFile(bytes, async (file) => (await run('pdftotext', ['-layout', file, '-'])).stdout)
  return pages.split('\f').slice(0, -1)
}

/** The fonts in a PDF as `pdffonts` lists them: a line for each, with whether it is embedded and a subset. */
export async function fontsInPdf(bytes: Uint8Array): Promise<string[]> {
  const table = await withFile(bytes, async (file) => (await run('pdffonts', [file])).stdout)
  return table.trim().split('\n').slice(2)
}

/** The first page as a picture in shades of grey, one byte for each dot. */
export async function drawPdf(bytes: Uint8Array): Promise<{ width: number; height: number; dots: Buffer }> {
  const picture = await withFile(bytes, async (file) => {
    const options = { encoding: 'buffer', maxBuffer: 50_000_000 } as const
    return (await run('pdftoppm', ['-gray', '-r', '150', '-f', '1', '-l', '1', file], options)).stdout
  })
  // A portable grey map: "P5 width height 255", then the dots.
  const head = /^P5\s(\d+)\s(\d+)\s255\s/.exec(picture.subarray(0, 64).toString('latin1'))
  if (head === null) throw new Error('pdftoppm made no picture')
  const [text, width, height] = head
  return { width: Number(width), height: Number(height), dots: picture.subarray(text.length) }
}

async function withFile<Result>(bytes: Uint8Array, work: (file: string) => Promise<Result>): Promise<Result> {
  const file = join(tmpdir(), `${randomUUID()}.pdf`)
  await writeFile(file, bytes)
  try {
    return await work(file)
  } finally {
    await rm(file)
  }
}
