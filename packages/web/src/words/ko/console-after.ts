import type { Words } from '../words.ts'

export const consoleAfter: Words['console']['after'] = {
  title: '판매 이후',
  hint: '구매자는 여기서 정한 시각까지만 직접 환불할 수 있습니다. 주최자는 언제든지 환불할 수 있습니다.',
  refundsUntil: '구매자 환불 가능 시각 (비우면 불가)',
  transfersUntil: '티켓 양도 가능 시각 (비우면 공연 시작까지)',
  perTicket: '좌석당 취소 수수료',
  percent: '취소 수수료 비율 (%)',
  keepFees: '예매 수수료는 환불하지 않음',
  offerMinutes: '반환된 좌석을 제안하는 시간(분)',
}
