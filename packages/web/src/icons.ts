import { type Html, trustedHtml } from './html.ts'
import { WAITING_ICONS } from './icons-of-waiting.ts'

/** Our own line icons: 24 by 24, drawn with one stroke, coloured by the text around them. */
export const ICONS = {
  ...WAITING_ICONS,
  check: 'm5 13 5 5 9-12',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.5M4 12h.5M4 18h.5',
  mail: 'M3 6h18v12H3zm0 1 9 7 9-7',
  minus: 'M5 12h14',
  pause: 'M8 5v14m8-14v14',
  pin: 'M12 21s7-7 7-12a7 7 0 0 0-14 0c0 5 7 12 7 12zm0-14a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  plus: 'M5 12h14M12 5v14',
  print: 'M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z',
  star: 'm12 4 2 6h6l-5 4 2 6-5-4-5 4 2-6-5-4h6z',
  wheelchair: 'M10 4.5v.5M10 8v6h5l3 6M10 11h5M8 12a4.5 4.5 0 1 0 6 6',
} as const

export type IconName = keyof typeof ICONS

/** Decoration: hidden from screen readers, because a word stands beside it. */
export function icon(name: IconName): Html {
  return trustedHtml(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${ICONS[name]}"/></svg>`,
  )
}
