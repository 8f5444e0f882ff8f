import { createHash } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import type { StoredImage } from '@seatwise/ledger'
import { createTurnstile } from '../../kit/index.ts'

/** As large as a photo of a phone; more is refused before it is decoded. */
const PIXELS_MAX = 50_000_000
/** The widest we show, twice as fine for dense screens. */
const SIDE_MAX = 1_600
const QUALITY = 80
/** A decoded picture is a hundred megabytes or more: one at a time. */
const WAITING_MAX = 20
const turnstile = createTurnstile({ runningMax: 1, waitingMax: WAITING_MAX })

export const queuedPictures = (): number => turnstile.waiting

/**
 * Makes the picture that we serve of one that an organiser sent: decoded, turned the right way up, made smaller, and written again
 * without any metadata, so that nothing but pixels leaves the server. Rule E42.
 */
export async function readPicture(body: Buffer, sideMax: number = SIDE_MAX): Promise<StoredImage> {
  if (!isPicture(body)) throw badPicture()
  const entered = turnstile.enter()
  if (entered === null) throw new SeatwiseError('OVERLOADED', { retryAfterSeconds: 5 })
  await entered
  try {
    // Loaded with the first picture: most servers never see one.
    const { default: sharp } = await import('sharp')
    const { data, info } = await sharp(body, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
      .autoOrient()
      .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true })
    const hash = createHash('sha256').update(data).digest('hex')
    return { hash, width: info.width, height: info.height, bytes: data }
  } catch (cause) {
    throw badPicture(cause)
  } finally {
    turnstile.leave()
  }
}

/** By its first bytes, whatever its type is called: the decoder knows more formats than we accept. */
function isPicture(body: Buffer): boolean {
  const isJpeg = body.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))
  const isPng = body.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
  const isWebp = body.toString('latin1', 0, 4) === 'RIFF' && body.toString('latin1', 8, 12) === 'WEBP'
  return isJpeg || isPng || isWebp
}

function badPicture(cause?: unknown): SeatwiseError {
  const message = 'The body must be a JPEG, PNG or WebP picture of at most 50 million pixels'
  return new SeatwiseError('BAD_REQUEST', { message, details: { field: 'body' }, cause })
}
