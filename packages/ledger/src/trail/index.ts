export { readTrail, type TrailEntry, type TrailOf } from './read-trail.ts'
export { recordAction } from './record-action.ts'
