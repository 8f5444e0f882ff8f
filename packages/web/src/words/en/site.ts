/** What stands around every page. */
export const site = {
  name: 'Seatwise',
  menu: 'Menu',
  skip: 'Skip to content',
  events: 'Events',
  reservations: 'My tickets',
  console: 'Console',
  signIn: 'Sign in',
  signOut: 'Sign out',
  language: 'Language',
  close: 'Close',
  back: 'Back',
  promise: 'A fair line. No seat sold twice.',
  stale: 'What you see here may be a few minutes old. It will be up to date again shortly.',
} as const
