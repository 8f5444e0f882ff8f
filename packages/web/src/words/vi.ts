import { account } from './vi/account.ts'
import { after } from './vi/after.ts'
import { ask } from './vi/ask.ts'
import { audit } from './vi/audit.ts'
import { buy } from './vi/buy.ts'
import { code } from './vi/code.ts'
import { acts } from './vi/console/acts.ts'
import { entrance } from './vi/console/entrance.ts'
import { hooks } from './vi/console/hooks.ts'
import { mailing } from './vi/console/mailing.ts'
import { organization } from './vi/console/organization.ts'
import { sites } from './vi/console/sites.ts'
import { consoleWords } from './vi/console.ts'
import { door } from './vi/door.ts'
import { event } from './vi/event.ts'
import { fairness } from './vi/fairness.ts'
import { mail } from './vi/mail.ts'
import { paper } from './vi/paper.ts'
import { seats } from './vi/seats.ts'
import { signIn } from './vi/sign-in.ts'
import { site } from './vi/site.ts'
import { team } from './vi/team.ts'
import { trouble } from './vi/trouble.ts'
import { wait } from './vi/wait.ts'
import { together } from './vi/waiting/together.ts'
import type { Words } from './words.ts'

export const vi: Words = {
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
}
