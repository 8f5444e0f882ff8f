import type { Words } from '../words.ts'

export const consoleAfter: Words['console']['after'] = {
  title: 'Sau khi bán',
  hint: 'Người mua chỉ tự hoàn tiền được đến thời điểm bạn đặt ở đây; bạn luôn có thể hoàn tiền cho họ.',
  refundsUntil: 'Người mua được trả ghế đến (để trống: không được)',
  transfersUntil: 'Được chuyển vé đến (để trống: đến khi sự kiện bắt đầu)',
  perTicket: 'Giữ lại cho mỗi ghế được hoàn tiền',
  percent: 'Giữ lại, theo phần trăm giá vé',
  keepFees: 'Giữ lại cả phí đặt vé',
  offerMinutes: 'Số phút giữ ghế được trả lại cho người được mời',
}
