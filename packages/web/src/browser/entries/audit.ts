import { startAudit } from '../audit/start-audit.ts'

startAudit()
