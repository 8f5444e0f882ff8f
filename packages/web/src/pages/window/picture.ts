import type { SaleEvent } from '@seatwise/domain'
import { type Html, html } from '../../html.ts'

/**
 * The picture of an event. Where it is cut, what the organiser pointed at stays in view: styles cannot be written into
 * the page, so the point is rounded to one of the classes of `styles/shop/pictures.css`.
 */
export function pictureOf(
  { image }: Pick<SaleEvent, 'image'>,
  name: string,
  loading: 'eager' | 'lazy' = 'eager',
): Html | null {
  if (image === null) return null
  const { url, width, height, alt, focus } = image
  const point = `look-x${tenth(focus.x)} look-y${tenth(focus.y)}`
  return html`<img class="${name} ${point}" src="${url}" width="${width}" height="${height}" alt="${alt}" loading="${loading}" decoding="async">`
}

const tenth = (percent: number): number => Math.round(percent / 10)
