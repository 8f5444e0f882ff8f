import type { Words } from '../words.ts'

type ConsolePaper = Pick<Words['console'], 'settlement' | 'seller'>

export const consolePaper: ConsolePaper = {
  settlement: {
    title: 'Quyết toán',
    lead: 'Tính từ biên lai và phiếu hoàn tiền, theo ngày tại địa điểm.',
    none: 'Chưa bán được gì.',
    day: 'Ngày',
    event: 'Sự kiện',
    total: 'Tổng cộng',
    gross: 'Doanh thu',
    fees: 'trong đó phí',
    tax: 'trong đó thuế',
    refunds: 'Hoàn tiền',
    refundedTax: 'trong đó thuế',
    charges: 'Phí cổng thanh toán',
    payout: 'Thực nhận',
    unnumbered: { other: 'Có {count} giao dịch bán hoặc hoàn tiền chưa được đánh số và chưa được tính.' },
    chargesUnknown: { other: 'Cổng thanh toán chưa báo phí của {count} giao dịch.' },
    csv: 'Xuất CSV',
    pdf: 'PDF',
    receipts: 'Biên lai dạng CSV',
    from: 'Từ ngày',
    to: 'Đến ngày',
    byDay: 'Theo ngày',
    byEvent: 'Theo sự kiện',
  },
  seller: {
    title: 'Bên bán và quyết toán',
    lead: 'Biên lai tiếp theo sẽ in thông tin này. Biên lai đã phát hành không thay đổi.',
    name: 'Tên',
    address: 'Địa chỉ',
    taxNumber: 'Mã số thuế',
    save: 'Áp dụng',
    saved: 'Đã áp dụng. Nhật ký thao tác có ghi lại.',
  },
}
