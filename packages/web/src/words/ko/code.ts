import type { Words } from '../words.ts'

export const code: Words['code'] = {
  ask: '코드가 있으신가요?',
  label: '입장, 할인 또는 우선 코드',
  apply: '적용',
  remove: '코드 삭제',
  kept: '코드가 저장되었습니다. 대기열에 참여할 때와 좌석을 선택할 때 적용됩니다.',
  unknown: '이 공연에서 사용할 수 없는 코드입니다.',
  usedUp: '사용 횟수가 모두 소진된 코드입니다.',
  limited: '잘못된 코드를 너무 많이 입력했습니다. 잠시 후 다시 시도해 주세요.',
  notApplicable: '선택한 좌석에는 사용할 수 없는 코드입니다.',
  tooLate: '좌석 선택 시간이 끝나 가격을 변경할 수 없습니다.',
  percent: '{code}: {percent} % 할인',
  amountOff: '{code}: {amount} 할인',
  price: '{code}: 좌석당 {amount}',
  access: '{code} 코드로 일반 판매되지 않는 티켓을 구매할 수 있습니다.',
  priority: '우선 코드는 대기열에 참여할 때 적용됩니다.',
  inLine: '이미 대기 중입니다. 우선 코드는 참여할 때만 적용됩니다.',
  atCheckout: '할인 금액은 결제 화면에 표시됩니다.',
}
