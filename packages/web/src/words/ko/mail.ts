import type { Words } from '../words.ts'

export const mail: Words['mail'] = {
  greeting: '{name}님, 안녕하세요.',
  greetingNoName: '안녕하세요.',
  confirmationSubject: '{event} 전자 티켓',
  paid: '{amount} 결제가 완료되어 다음 좌석이 예매되었습니다:',
  attached: '전자 티켓을 첨부했습니다. 화면에서 열거나 인쇄하여 입장할 때 코드를 보여 주세요.',
  online: '온라인에서도 볼 수 있습니다: {url}',
  reservation: '예매 번호 {id}',
  refundSubject: '{event} 환불 안내',
  refunded: '다음 예매에 대해 {amount}을(를) 환불해 드렸습니다:',
  noLongerValid: '이 예매의 전자 티켓은 더 이상 유효하지 않습니다.',
  noLongerValidSome: '위 좌석의 전자 티켓은 더 이상 유효하지 않습니다. 나머지 티켓은 계속 유효합니다.',
  cancelledSubject: '공연 취소 안내: {event}',
  cancelled: '다음 공연이 취소되었습니다:',
  moneyComesBack: '결제하신 금액은 환불되며, 따로 하실 일은 없습니다. 전자 티켓은 더 이상 유효하지 않습니다.',
  movedSubject: '일정 변경 안내: {event}',
  moved: '공연 일정이 변경되었습니다. 변경된 일정은 다음과 같습니다:',
  stillValid: '전자 티켓은 계속 유효합니다.',
  refundUntil: '변경된 일정에 참석하기 어려우시면 {time}까지 환불하실 수 있습니다: {url}',
}
