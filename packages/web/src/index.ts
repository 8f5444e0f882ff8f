export type { Active, Known, PlaceState } from '@seatwise/client'
export { type Accent, accentFrom } from './accent.ts'
export { ASSETS_PATH, type Asset, type Assets, loadAssets } from './assets.ts'
export { guardSnippets, SNIPPET_KINDS, type Snippet, type SnippetFacts, type SnippetKind } from './guard-snippets.ts'
export {
  chooseLanguage,
  LANGUAGES,
  type Language,
  readLanguage,
  type SpokenLanguage,
  withRegion,
} from './language.ts'
export { type CanceledSeats, type Page, renderPage, type Viewer } from './page.ts'
export { accountDeletedPage, type DeletionProblem, deleteAccountPage } from './pages/account/leaving-account.ts'
export { downloadPage, type StrongFacts, strongPage } from './pages/account/strong.ts'
export {
  type AccountFacts,
  type AccountNotice,
  type AccountProblem,
  type AgainFacts,
  accountPage,
  againPage,
} from './pages/account.ts'
export {
  listedPage,
  type OfferStand,
  type OrderFacts,
  offerPage,
  orderPage,
  type TransferStand,
  transferPage,
} from './pages/after-sale.ts'
export { auditPage } from './pages/audit.ts'
export { bankPage } from './pages/bank.ts'
export {
  type CheckoutFacts,
  checkoutPage,
  type OwnReservation,
  type PayStand,
  reservationsPage,
} from './pages/buying.ts'
export { saleCalendar, showCalendar } from './pages/calendar.ts'
export { type CheckoutForm, checkoutField, type FieldProblem } from './pages/checkout-fields.ts'
export { type AppliedCode, CODE_VERDICTS, type CodeVerdict } from './pages/code-field.ts'
export type { CashUp } from './pages/console/cash-up.ts'
export { consoleCheckInPage } from './pages/console/check-in.ts'
export {
  consoleDoorPage,
  type DoorChoice,
  type DoorFacts,
  type DoorProblem,
  type DoorQuote,
  type DoorSeat,
} from './pages/console/door.ts'
export { consoleDoorSoldPage } from './pages/console/door-sold.ts'
export { consoleEditPage } from './pages/console/edit.ts'
export { type ConsoleList, consoleListPage } from './pages/console/list.ts'
export { consoleMailPage, type MailFacts } from './pages/console/mail.ts'
export {
  ORGANIZATION_SECTIONS,
  type OrganizationFrame,
  type OrganizationProblem,
  type OrganizationSection,
  type Said,
} from './pages/console/organization/frame.ts'
export { webhookLogPage, webhookMadePage, webhooksPage } from './pages/console/organization/hooks.ts'
export { KEY_DAYS, keyMadePage, keysPage } from './pages/console/organization/keys.ts'
export { organizationSettingsPage } from './pages/console/organization/settings.ts'
export { teamPage } from './pages/console/organization/team.ts'
export { consoleOrganizationsPage } from './pages/console/organizations.ts'
export { type ConsoleSale, consoleSalePage } from './pages/console/sale.ts'
export { type SiteCheck, sitePage } from './pages/console/site.ts'
export { type EticketFacts, eticketPage, type Giving } from './pages/eticket.ts'
export { eventPage } from './pages/event.ts'
export { fairnessPage, pastSalesPage } from './pages/fairness.ts'
export { type HandoverFacts, handoverPage } from './pages/handover.ts'
export { invitationPage } from './pages/invitation.ts'
export { leavingPage } from './pages/leaving.ts'
export type { PaidTicket } from './pages/paid-tickets.ts'
export { codesPage, recoveryPage } from './pages/passkeys.ts'
export { notInsidePage, type SeatsProblem, seatsPage } from './pages/seats.ts'
export { type SignInForm, type SignInProblem, signInPage } from './pages/sign-in.ts'
export { type CodeForm, codePage, type LinkForm, linkOverPage, linkPage } from './pages/sign-in-mail.ts'
export type { GroupVerdict, TogetherFacts } from './pages/together.ts'
export { type StatusFacts, statusPage, type Trouble, troublePage } from './pages/trouble.ts'
export { type Brand, type HandOver, type TurnMail, waitPage } from './pages/wait.ts'
export { type HomeFilters, homePage } from './pages/window/home.ts'
export { hostPage } from './pages/window/host.ts'
export { type DoctorProblem, sayFinding } from './views/doctor.ts'
export { tellMomentNamed } from './views/moment.ts'
export { formatMoney } from './views/money.ts'
export type { Outside, WaitFacts } from './views/wait-view.ts'
export { WORDS } from './words/index.ts'
export { say } from './words/say.ts'
