/** What a key does while the plan has the focus. */
export type PlanKey =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'far-left'
  | 'far-right'
  | 'far-up'
  | 'far-down'
  | 'remove'
  | 'undo'
  | 'redo'
  | 'copy'
  | 'all'
  | 'none'

/** `mod` is Ctrl, or Command on a Mac. */
export const PLAN_KEYS: ReadonlyMap<string, PlanKey> = new Map<string, PlanKey>([
  ['arrowleft', 'left'],
  ['arrowright', 'right'],
  ['arrowup', 'up'],
  ['arrowdown', 'down'],
  ['shift+arrowleft', 'far-left'],
  ['shift+arrowright', 'far-right'],
  ['shift+arrowup', 'far-up'],
  ['shift+arrowdown', 'far-down'],
  ['delete', 'remove'],
  ['backspace', 'remove'],
  ['mod+z', 'undo'],
  ['mod+y', 'redo'],
  ['mod+shift+z', 'redo'],
  ['mod+d', 'copy'],
  ['mod+a', 'all'],
  ['escape', 'none'],
])
