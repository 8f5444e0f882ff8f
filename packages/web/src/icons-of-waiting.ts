/** What the waiting page redraws: in a file of its own, because every byte of that page is downloaded millions of times. */
export const WAITING_ICONS = {
  arrow: 'M4 12h15m-6-6 6 6-6 6',
  back: 'M20 12H5m6-6-6 6 6 6',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4l2-2zm4 4h4',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4m8-4v4',
  chair: 'M7 4v9h10V4M5 13h14v4H5zm2 4v3m10-3v3',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4v5l3 3',
  close: 'M6 6l12 12M18 6 6 18',
  door: 'M6 21V4h9v17M3 21h18M12 12v1m3-9 4 2v15',
  eye: 'M2 12s4-6 10-6 10 6 10 6-4 6-10 6-10-6-10-6zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 8v6m0-9v.5',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-5 4-7 8-7s8 2 8 7',
  phone: 'M8 3h8v18H8zm3 15h2',
  search: 'M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zm5 11 6 6',
  sound: 'M4 9v6h4l5 4V5L8 9zm12-1c2 2 2 6 0 8m2-11c4 4 4 10 0 14',
  ticket: 'M3 8h18v3a2 2 0 0 0 0 4v3H3v-3a2 2 0 0 0 0-4zm12 0v10',
} as const

export type WaitingIcon = keyof typeof WAITING_ICONS
