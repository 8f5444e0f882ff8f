import type { Config } from './config.ts'

/** Whether mail leaves this deployment: embedded it goes to the mailbox folder, distributed it needs a mail server. */
export function sendsMail({ mode, smtpUrl }: Pick<Config, 'mode' | 'smtpUrl'>): boolean {
  return mode === 'embedded' || smtpUrl !== null
}
