import { account } from './ko/account.ts'
import { after } from './ko/after.ts'
import { ask } from './ko/ask.ts'
import { audit } from './ko/audit.ts'
import { buy } from './ko/buy.ts'
import { code } from './ko/code.ts'
import { acts } from './ko/console/acts.ts'
import { entrance } from './ko/console/entrance.ts'
import { hooks } from './ko/console/hooks.ts'
import { mailing } from './ko/console/mailing.ts'
import { organization } from './ko/console/organization.ts'
import { sites } from './ko/console/sites.ts'
import { consoleWords } from './ko/console.ts'
import { door } from './ko/door.ts'
import { event } from './ko/event.ts'
import { fairness } from './ko/fairness.ts'
import { mail } from './ko/mail.ts'
import { paper } from './ko/paper.ts'
import { seats } from './ko/seats.ts'
import { signIn } from './ko/sign-in.ts'
import { site } from './ko/site.ts'
import { team } from './ko/team.ts'
import { trouble } from './ko/trouble.ts'
import { wait } from './ko/wait.ts'
import { together } from './ko/waiting/together.ts'
import type { Words } from './words.ts'

export const ko: Words = {
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
