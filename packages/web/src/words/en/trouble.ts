/** Pages for errors: what happened, whether anything was lost, what to do. */
export const trouble = {
  notFoundTitle: 'Page not found',
  notFound: 'There is no page at this address. The link may be incomplete, or the event may be over. Nothing was lost.',
  forbiddenTitle: 'You do not have access',
  forbidden: 'This page belongs to another account. Sign in with that account to open it.',
  busyTitle: 'One moment, please',
  busy: 'A very large number of people are here right now. Your place and your seats are safe. This page retries by itself.',
  brokenTitle: 'Something went wrong on our side',
  broken: 'Nothing was charged or lost. Try again; if it keeps happening, contact us and quote this number: {id}',
  badTitle: 'We could not process that',
  bad: 'The request was incomplete. Go back and try again; nothing was changed.',
  crossSite:
    'This request did not come from our own page, so nothing was done. Open the page again and press the button there.',
  goHome: 'Browse events',
  tryAgain: 'Try again',
} as const
