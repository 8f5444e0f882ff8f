/** Invitations to an organization: their page and mail. */
export const team = {
  roles: {
    owner: 'Owner',
    manager: 'Manager',
    box_office: 'Box office',
    door: 'Door',
    viewer: 'Viewer',
  },
  inviteTitle: 'Join {organization}',
  inviteLead: '{email} was invited to {organization} as: {role}.',
  accept: 'Accept the invitation',
  acceptedTitle: 'You are a member of {organization}',
  acceptedLead: 'Sign in with {email} to get to work.',
  goSignIn: 'Sign in',
  overTitle: 'This invitation is over',
  overLead: 'It was used, withdrawn or is too old. Ask for another one.',
  mailSubject: 'You are invited to {organization}',
  mailInvited: 'You were invited to work for {organization} as: {role}.',
  mailLink: 'Accept the invitation within a week: {url}',
  mailIgnore: 'If you do not know the sender, ignore this email.',
}
