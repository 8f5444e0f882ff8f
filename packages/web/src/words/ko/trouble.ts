import type { Words } from '../words.ts'

export const trouble: Words['trouble'] = {
  notFoundTitle: '여기에는 아무것도 없습니다',
  notFound: '이 주소에는 페이지가 없습니다. 주소가 잘렸거나 공연이 끝났을 수 있습니다. 잃어버린 것은 없습니다.',
  forbiddenTitle: '열 수 없는 페이지입니다',
  forbidden: '다른 사람의 것이거나 다른 계정이 필요합니다. 해당 계정으로 로그인해 주세요.',
  busyTitle: '잠시만 기다려 주세요',
  busy: '지금 아주 많은 분이 접속해 있습니다. 순서와 좌석은 안전합니다. 이 페이지가 스스로 다시 시도합니다.',
  brokenTitle: '저희 쪽에서 문제가 생겼습니다',
  broken: '이 일로 결제되거나 잃어버린 것은 없습니다. 다시 시도해 주세요. 계속되면 이 번호를 알려 주세요: {id}',
  badTitle: '이해하지 못했습니다',
  bad: '보낸 내용이 완전하지 않습니다. 돌아가서 다시 시도해 주세요. 바뀐 것은 없습니다.',
  crossSite:
    '저희 페이지에서 보낸 것이 아니어서 아무것도 하지 않았습니다. 페이지를 다시 열고 그곳의 버튼을 눌러 주세요.',
  goHome: '공연 목록으로',
  tryAgain: '다시 시도',
}
