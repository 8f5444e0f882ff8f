import type { Words } from '../words.ts'

type ConsolePaper = Pick<Words['console'], 'settlement' | 'seller'>

export const consolePaper: ConsolePaper = {
  settlement: {
    title: '정산',
    lead: '영수증과 환불 전표 기준, 공연장 시간대의 일별 집계입니다.',
    none: '판매 내역이 없습니다.',
    day: '날짜',
    event: '공연',
    total: '합계',
    gross: '총매출',
    fees: '수수료 포함액',
    tax: '세액 포함액',
    refunds: '환불',
    refundedTax: '환불 세액',
    charges: '결제사 수수료',
    payout: '정산액',
    unnumbered: { other: '아직 번호가 없어 집계에서 빠진 판매 또는 환불이 {count}건 있습니다.' },
    chargesUnknown: { other: '결제사가 수수료를 알리지 않은 판매가 {count}건 있습니다.' },
    csv: 'CSV 내보내기',
    pdf: 'PDF',
    receipts: '영수증 CSV',
    from: '시작일',
    to: '종료일',
    byDay: '일별',
    byEvent: '공연별',
  },
  seller: {
    title: '판매자와 정산',
    lead: '다음 영수증부터 이 정보가 표시됩니다. 이미 발행한 영수증은 바뀌지 않습니다.',
    name: '상호',
    address: '주소',
    taxNumber: '사업자등록번호',
    save: '적용',
    saved: '적용했습니다. 작업 기록에서 확인할 수 있습니다.',
  },
}
