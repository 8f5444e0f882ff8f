export { type Beacon, type BeaconChain, PUBLIC_BEACON, roundAfter, timeOfRound } from './beacon.ts'
export { BadConfiguration, type Config, type RealtimeSettings, readConfig } from './config.ts'
export { createLog } from './logging.ts'
export { VERSION } from './version.ts'
