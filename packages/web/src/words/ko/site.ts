import type { Words } from '../words.ts'

export const site: Words['site'] = {
  name: 'Seatwise',
  menu: '메뉴',
  skip: '본문 바로가기',
  events: '공연',
  reservations: '예매 내역',
  console: '운영 콘솔',
  signIn: '로그인',
  signOut: '로그아웃',
  language: '언어',
  close: '닫기',
  back: '뒤로',
  promise: '공정한 대기열, 중복 판매 없는 좌석.',
  stale: '현재 표시된 정보는 몇 분 전 내용일 수 있습니다. 곧 최신 정보로 갱신됩니다.',
}
