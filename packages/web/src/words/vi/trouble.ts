import type { Words } from '../words.ts'

export const trouble: Words['trouble'] = {
  notFoundTitle: 'Ở đây không có gì',
  notFound: 'Địa chỉ này không dẫn đến đâu. Có thể nó bị cắt bớt, hoặc sự kiện đã qua. Bạn không mất gì cả.',
  forbiddenTitle: 'Bạn không mở được trang này',
  forbidden: 'Trang này của người khác, hoặc cần một tài khoản khác. Hãy đăng nhập bằng tài khoản đó.',
  busyTitle: 'Xin chờ một chút',
  busy: 'Hiện có rất nhiều người ở đây. Chỗ và ghế của bạn vẫn an toàn. Trang này sẽ tự thử lại.',
  brokenTitle: 'Có lỗi ở phía chúng tôi',
  broken: 'Bạn không bị trừ tiền và không mất gì. Hãy thử lại; nếu vẫn lỗi, hãy cho chúng tôi biết số này: {id}',
  badTitle: 'Chúng tôi chưa hiểu yêu cầu',
  bad: 'Nội dung gửi đi chưa đầy đủ. Hãy quay lại và thử lại; chưa có gì thay đổi.',
  crossSite: 'Yêu cầu này không gửi từ trang của chúng tôi nên chưa có gì được làm. Hãy mở lại trang và bấm nút ở đó.',
  goHome: 'Đến các sự kiện',
  tryAgain: 'Thử lại',
}
