import { type Html, trustedHtml } from './html.ts'

/** Our own line icons: 24 by 24, drawn with one stroke, coloured by the text around them. */
export const ICONS = {
  arrow: 'M4 12h15m-6-6 6 6-6 6',
  back: 'M20 12H5m6-6-6 6 6 6',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4l2-2zm4 4h4',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4m8-4v4',
  chair: 'M7 4v9h10V4M5 13h14v4H5zm2 4v3m10-3v3',
  check: 'm5 13 5 5 9-12',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4v5l3 3',
  close: 'M6 6l12 12M18 6 6 18',
  door: 'M6 21V4h9v17M3 21h18M12 12v1m3-9 4 2v15',
  eye: 'M2 12s4-6 10-6 10 6 10 6-4 6-10 6-10-6-10-6zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 8v6m0-9v.5',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.5M4 12h.5M4 18h.5',
  minus: 'M5 12h14',
  pause: 'M8 5v14m8-14v14',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-5 4-7 8-7s8 2 8 7',
  phone: 'M8 3h8v18H8zm3 15h2',
  pin: 'M12 21s7-7 7-12a7 7 0 0 0-14 0c0 5 7 12 7 12zm0-14a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  plus: 'M5 12h14M12 5v14',
  print: 'M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z',
  search: 'M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zm5 11 6 6',
  sound: 'M4 9v6h4l5 4V5L8 9zm12-1c2 2 2 6 0 8m2-11c4 4 4 10 0 14',
  star: 'm12 4 2 6h6l-5 4 2 6-5-4-5 4 2-6-5-4h6z',
  ticket: 'M3 8h18v3a2 2 0 0 0 0 4v3H3v-3a2 2 0 0 0 0-4zm12 0v10',
  wheelchair: 'M10 4.5v.5M10 8v6h5l3 6M10 11h5M8 12a4.5 4.5 0 1 0 6 6',
} as const

export type IconName = keyof typeof ICONS

/** Decoration: hidden from screen readers, because a word stands beside it. */
export function icon(name: IconName): Html {
  return trustedHtml(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${ICONS[name]}"/></svg>`,
  )
}
