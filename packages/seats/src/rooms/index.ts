export * from './begin-epoch.ts'
export { type CopyReply, chainHashes, copyLog } from './copy-log.ts'
export * from './read-live-tickets.ts'
export * from './read-room.ts'
