import type { Words } from '../words.ts'

export const site: Words['site'] = {
  name: 'Seatwise',
  skip: '본문으로 건너뛰기',
  events: '공연',
  reservations: '내 티켓',
  console: '운영 화면',
  signIn: '로그인',
  signOut: '로그아웃',
  language: '언어',
  close: '닫기',
  back: '뒤로',
  promise: '공정한 대기줄, 두 번 팔리지 않는 좌석.',
}
