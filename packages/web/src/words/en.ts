import { account } from './en/account.ts'
import { after } from './en/after.ts'
import { ask } from './en/ask.ts'
import { audit } from './en/audit.ts'
import { buy } from './en/buy.ts'
import { code } from './en/code.ts'
import { acts } from './en/console/acts.ts'
import { entrance } from './en/console/entrance.ts'
import { hooks } from './en/console/hooks.ts'
import { mailing } from './en/console/mailing.ts'
import { organization } from './en/console/organization.ts'
import { sites } from './en/console/sites.ts'
import { consoleWords } from './en/console.ts'
import { door } from './en/door.ts'
import { event } from './en/event.ts'
import { fairness } from './en/fairness.ts'
import { mail } from './en/mail.ts'
import { paper } from './en/paper.ts'
import { seats } from './en/seats.ts'
import { signIn } from './en/sign-in.ts'
import { site } from './en/site.ts'
import { team } from './en/team.ts'
import { trouble } from './en/trouble.ts'
import { wait } from './en/wait.ts'
import { together } from './en/waiting/together.ts'

export const en = {
  console: consoleWords,
  code,
  site,
  signIn,
  account,
  hooks,
  acts,
  organization,
  sites,
  team,
  together,
  trouble,
  entrance,
  mailing,
  event,
  wait,
  seats,
  buy,
  mail,
  door,
  paper,
  after,
  ask,
  audit,
  fairness,
} as const
