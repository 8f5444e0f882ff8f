import { words } from '../../kit/page.ts'

export type Tool = 'select' | 'draw' | 'area' | 'stage' | 'walk' | 'other' | 'aisle' | 'block' | 'accessible' | 'trace'

/** What a press on the plan does: the first group draws, the second changes the seat that is pressed. */
export const DRAWING_TOOLS = ['select', 'draw', 'area', 'stage', 'walk', 'other'] as const satisfies readonly Tool[]
export const SEAT_TOOLS = ['aisle', 'block', 'accessible'] as const satisfies readonly Tool[]

/** What a seat tool changes of a row. */
export const FIELD_OF = { aisle: 'aisles', block: 'blocked', accessible: 'accessible' } as const
/** The kind of shape that a tool draws. */
export const KIND_OF = { stage: 'stage', walk: 'aisle', other: 'other' } as const

export const tellTool = (tool: Tool): string => words.plan.tools[tool]

/** By dragging a frame; all others press a seat, or move something. */
export const draws = (tool: Tool): boolean => tool === 'draw' || tool === 'area' || tool in KIND_OF
