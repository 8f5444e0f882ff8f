export { BadConfiguration, type Config, type RealtimeSettings, readConfig } from './config.ts'
export { createLog } from './logging.ts'
export { VERSION } from './version.ts'
