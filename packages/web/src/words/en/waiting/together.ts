/** Visitors who stand together as one ticket. */
export const together = {
  ask: 'Waiting with others?',
  how: 'Up to {count} people can stand together. You then have one place, that of the one who joined last. Each of you can go in when it is your turn; one of you reserves and pays for all.',
  invite: 'Invite others',
  inviteTitle: 'Invite others to stand with you',
  inviteHow: 'Send this link, or the code. It works while you wait.',
  link: 'Link',
  code: 'Group code',
  join: 'Stand together',
  joinHow:
    'If you are further ahead than the group, you move back to its place; if you are further behind, the group moves back to yours.',
  unknown: 'There is no group with this code.',
  over: 'This group is not waiting any more.',
  full: 'This group has as many people as it may have.',
  inGroup: 'You stand with a group already. Leave the line to join another one.',
  limited: 'Too many wrong codes. Please wait a moment and try again.',
  drawing: 'Places are being drawn right now. Try again in a moment.',
} as const
