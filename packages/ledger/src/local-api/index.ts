export {
  connectToRunningServer,
  type LocalServer,
  type QueryAnswer,
  type ServerStatus,
} from './connect-to-running-server.ts'
export { queryReadOnly } from './query-read-only.ts'
export { removeServerFile, writeServerFile } from './server-file.ts'
