import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import { type Mailer, openMailFolder, openSmtpMailer } from './mailer.ts'

/** As configured: a mail server, or a folder when all data is on this machine. Null sends no mail. */
export function openMailer({ smtpUrl, mailFrom, mode, dataDir }: Config, log: Logger): Mailer | null {
  if (smtpUrl !== null) return openSmtpMailer(smtpUrl, mailFrom)
  if (mode === 'embedded') return openMailFolder(join(dataDir, 'mailbox'), mailFrom)
  log.warn('no mail is sent, because SEATWISE_SMTP_URL is not set')
  return null
}
