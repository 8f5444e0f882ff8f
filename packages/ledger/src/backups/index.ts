export { type BackupFacts, makeBackup } from './make-backup.ts'
export { restoreBackup, wasRestored } from './restore-backup.ts'
