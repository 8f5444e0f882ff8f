import type { Line } from '../../src/index.ts'

/** One implementation of the line under test. */
export interface LineHarness {
  readonly line: Line
  /** Moves the clock of a room that stands. Nothing else moves it once it is a day ahead of the real one. */
  advance(room: string, ms: number): Promise<void>
  close(): Promise<void>
}

export type OpenHarness = () => Promise<LineHarness>
