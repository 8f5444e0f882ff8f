import type { Words } from '../words.ts'

export const mail: Words['mail'] = {
  greeting: 'Xin chào {name},',
  greetingNoName: 'Xin chào,',
  confirmationSubject: 'Vé điện tử của bạn: {event}',
  paid: 'chúng tôi đã nhận được khoản thanh toán {amount}, và các ghế sau là của bạn:',
  attached: 'Vé điện tử được đính kèm. Hãy mở hoặc in trang này và xuất trình mã tại cửa vào.',
  online: 'Bạn cũng có thể xem vé trực tuyến: {url}',
  reservation: 'Mã đặt vé {id}',
  refundSubject: 'Hoàn tiền cho {event}',
  refunded: 'chúng tôi đã hoàn lại {amount} cho:',
  noLongerValid: 'Vé điện tử của lần mua này không còn hiệu lực.',
  noLongerValidSome: 'Vé điện tử của các ghế này không còn hiệu lực; các vé còn lại vẫn có hiệu lực.',
  cancelledSubject: 'Sự kiện bị hủy: {event}',
  cancelled: 'sự kiện sau đã bị hủy:',
  moneyComesBack: 'Bạn sẽ được hoàn tiền và không cần làm gì thêm. Vé điện tử của bạn không còn hiệu lực.',
  movedSubject: 'Lịch mới: {event}',
  moved: 'lịch của sự kiện đã thay đổi. Lịch mới là:',
  stillValid: 'Vé điện tử của bạn vẫn có hiệu lực.',
  refundUntil: 'Nếu lịch mới không phù hợp, bạn có thể hoàn tiền đến {time}: {url}',
}
