/** Pages for when something is not as hoped: what happened, whether anything was lost, what to do. */
export const trouble = {
  notFoundTitle: 'There is nothing here',
  notFound:
    'This address leads nowhere. Perhaps it was cut off, or the event is over and gone. Nothing of yours is lost.',
  forbiddenTitle: 'This is not yours to open',
  forbidden: 'It belongs to somebody else, or needs another account. Sign in with the account that has it.',
  busyTitle: 'A moment, please',
  busy: 'Very many people are here right now. Your place and your seats are safe. This page tries again by itself.',
  brokenTitle: 'That went wrong on our side',
  broken: 'Nothing was charged or lost by this. Try again; if it keeps happening, tell us this number: {id}',
  badTitle: 'We did not understand that',
  bad: 'What was sent is not complete. Go back and try again; nothing was changed.',
  crossSite:
    'This was not sent from our own page, so nothing was done. Open the page again and press the button there.',
  goHome: 'To the events',
  tryAgain: 'Try again',
} as const
