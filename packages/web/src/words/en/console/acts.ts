/** What the console does with a whole event. */
export const acts = {
  states: { draft: 'Draft', published: 'Published', cancelled: 'Cancelled' },
  draftLead: 'A draft: only your team sees it, and visitors cannot join. Publish it when everything is right.',
  publish: 'Publish',
  duplicate: 'Duplicate',
  duplicateLead: 'Makes a draft with the same facts, prices, plan, questions and room.',
} as const
