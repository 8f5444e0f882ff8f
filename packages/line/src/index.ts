export * from './contract.ts'
export * from './log-entry.ts'
export type { Commit, Pause } from './memory/commit-queue.ts'
export { type MemoryLineOptions, openMemoryLine } from './memory/open-memory-line.ts'
