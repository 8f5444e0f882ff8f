import type { Words } from '../words.ts'

export const ask: Words['ask'] = {
  ticket: 'Vé {number}',
  holder: 'Tên người dùng vé',
  choose: 'Vui lòng chọn',
  optional: '(không bắt buộc)',
  accept: 'Tôi đồng ý với điều khoản và điều kiện',
  readTerms: 'Đọc tại {site} (trang mới)',
  marketing: 'Ban tổ chức có thể gửi email cho tôi về các sự kiện khác. Tôi có thể rút lại bất cứ lúc nào.',
  problems: {
    other: 'Có {count} mục còn thiếu hoặc sai. Bạn chưa bị trừ tiền và ghế vẫn được giữ.',
  },
  needed: 'Vui lòng điền mục này.',
  choiceNeeded: 'Vui lòng chọn một mục.',
  emailNeeded: 'Vui lòng nhập địa chỉ email hợp lệ.',
  termsNeeded: 'Vui lòng đồng ý với điều khoản để tiếp tục.',
  termsChanged: 'Điều khoản đã thay đổi. Vui lòng đọc và đồng ý lại.',
}
