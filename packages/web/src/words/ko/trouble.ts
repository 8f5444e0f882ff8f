import type { Words } from '../words.ts'

export const trouble: Words['trouble'] = {
  notFoundTitle: '페이지를 찾을 수 없습니다',
  notFound: '주소가 잘못되었거나 종료된 공연일 수 있습니다. 잃은 것은 없습니다.',
  forbiddenTitle: '접근 권한이 없습니다',
  forbidden: '다른 계정의 페이지입니다. 해당 계정으로 로그인해 주세요.',
  busyTitle: '잠시만 기다려 주세요',
  busy: '지금 접속자가 매우 많습니다. 대기 순서와 좌석은 안전하며, 이 페이지가 자동으로 다시 시도합니다.',
  brokenTitle: '일시적인 오류가 발생했습니다',
  broken: '결제되거나 잃은 것은 없습니다. 다시 시도해 주세요. 계속되면 이 번호와 함께 문의해 주세요: {id}',
  badTitle: '요청을 처리할 수 없습니다',
  bad: '요청 내용이 완전하지 않습니다. 이전 페이지에서 다시 시도해 주세요. 변경된 것은 없습니다.',
  crossSite: '저희 페이지에서 보낸 요청이 아니어서 처리하지 않았습니다. 페이지를 다시 열고 버튼을 눌러 주세요.',
  goHome: '공연 둘러보기',
  tryAgain: '다시 시도',
}
