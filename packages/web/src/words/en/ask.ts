/** What an organiser asks buyers for before they pay. */
export const ask = {
  ticket: 'Ticket {number}',
  holder: 'Name of the ticket holder',
  choose: 'Please choose',
  optional: '(optional)',
  accept: 'I accept the terms and conditions',
  readTerms: 'Read them at {site} (new page)',
  marketing: 'The organiser may send me news about other events by email. I can withdraw this at any time.',
  problems: {
    one: 'One detail is missing or wrong. Nothing was charged, and your seats are still held.',
    other: '{count} details are missing or wrong. Nothing was charged, and your seats are still held.',
  },
  needed: 'Please fill this in.',
  choiceNeeded: 'Please choose one of these.',
  emailNeeded: 'Please enter a valid email address.',
  termsNeeded: 'Please accept the terms to continue.',
  termsChanged: 'The terms have changed. Please read and accept them again.',
} as const
