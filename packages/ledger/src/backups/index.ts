export { type BackupFacts, makeBackup } from './make-backup.ts'
export { restoreBackup, resumeRestored, wasRestored } from './restore-backup.ts'
