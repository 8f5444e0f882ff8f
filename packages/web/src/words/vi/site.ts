import type { Words } from '../words.ts'

export const site: Words['site'] = {
  name: 'Seatwise',
  menu: 'Menu',
  skip: 'Đến nội dung chính',
  events: 'Sự kiện',
  reservations: 'Vé của tôi',
  console: 'Điều hành',
  signIn: 'Đăng nhập',
  signOut: 'Đăng xuất',
  language: 'Ngôn ngữ',
  close: 'Đóng',
  back: 'Quay lại',
  promise: 'Hàng chờ công bằng, không ghế nào bán hai lần.',
  stale: 'Thông tin ở đây có thể đã cũ vài phút. Trang sẽ sớm được cập nhật lại.',
}
