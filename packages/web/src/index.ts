export type { Active, Known, PlaceState } from '@seatwise/client'
export { type Accent, accentFrom } from './accent.ts'
export { ASSETS_PATH, type Asset, type Assets, loadAssets } from './assets.ts'
export { chooseLanguage, LANGUAGES, type Language, readLanguage } from './language.ts'
export { type CanceledSeats, type Page, renderPage, type Viewer } from './page.ts'
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
export { consoleOrganizationsPage } from './pages/console/organizations.ts'
export { type ConsoleSale, consoleSalePage } from './pages/console/sale.ts'
export { type EticketFacts, eticketPage } from './pages/eticket.ts'
export { eventPage } from './pages/event.ts'
export { type HandoverFacts, handoverPage } from './pages/handover.ts'
export { homePage } from './pages/home.ts'
export { invitationPage } from './pages/invitation.ts'
export { leavingPage } from './pages/leaving.ts'
export { codesPage, recoveryPage } from './pages/passkeys.ts'
export { notInsidePage, type SeatsProblem, seatsPage } from './pages/seats.ts'
export { type SignInForm, type SignInProblem, signInPage } from './pages/sign-in.ts'
export { type CodeForm, codePage, type LinkForm, linkOverPage, linkPage } from './pages/sign-in-mail.ts'
export { type Trouble, troublePage } from './pages/trouble.ts'
export { type Brand, type HandOver, waitPage } from './pages/wait.ts'
export { type DoctorProblem, sayFinding } from './views/doctor.ts'
export { tellMomentNamed } from './views/moment.ts'
export { formatMoney } from './views/money.ts'
export type { Outside, WaitFacts } from './views/wait-view.ts'
export { WORDS } from './words/index.ts'
export { say } from './words/say.ts'
