import type { Words } from '../words.ts'

export const signIn: Words['signIn'] = {
  title: 'Đăng nhập',
  newTitle: 'Tạo tài khoản',
  lead: 'Vị trí của bạn trong hàng chờ vẫn được giữ khi bạn đăng nhập.',
  email: 'Địa chỉ email',
  password: 'Mật khẩu',
  passwordHint: 'Ít nhất 8 ký tự. Tốt nhất là vài từ bạn dễ nhớ.',
  name: 'Tên của bạn',
  submit: 'Đăng nhập',
  submitNew: 'Tạo tài khoản',
  isNew: 'Chưa có tài khoản?',
  isKnown: 'Bạn đã có tài khoản?',
  wrong: 'Email hoặc mật khẩu không đúng. Hãy thử lại.',
  emailTaken: 'Đã có tài khoản với email này. Hãy đăng nhập.',
  weakPassword: 'Mật khẩu này quá dễ đoán. Hãy chọn mật khẩu dài hơn, ví dụ vài từ.',
  badEmail: 'Hãy nhập địa chỉ email hợp lệ.',
  badName: 'Hãy nhập tên của bạn.',
  tooOften: 'Bạn đã thử quá nhiều lần. Hãy đợi một phút rồi thử lại.',
  overLimit: {
    other:
      'Lượt đặt {count} ghế cho {event} đã bị hủy: nếu giữ lại, tài khoản của bạn sẽ vượt quá số ghế mỗi người được mua. Bạn không bị trừ tiền.',
  },
  signedInAs: 'Bạn đang đăng nhập với tên {name}.',
}
