import type { Words } from '../words.ts'

export const code: Words['code'] = {
  ask: 'Bạn có mã?',
  label: 'Mã truy cập, giảm giá hoặc ưu tiên',
  apply: 'Áp dụng',
  remove: 'Xóa mã này',
  kept: 'Đã lưu mã của bạn. Mã có hiệu lực khi bạn vào hàng chờ và khi chọn chỗ.',
  unknown: 'Mã này không hợp lệ cho sự kiện này.',
  usedUp: 'Mã này đã hết lượt sử dụng.',
  limited: 'Nhập sai mã quá nhiều lần. Vui lòng đợi một lát rồi thử lại.',
  notApplicable: 'Mã này không áp dụng cho các chỗ này.',
  tooLate: 'Đã hết thời gian chọn chỗ nên giá không thể thay đổi.',
  percent: '{code}: giảm {percent} %',
  amountOff: '{code}: giảm {amount}',
  price: '{code}: {amount} mỗi chỗ',
  access: '{code} mở bán các vé không bán công khai.',
  priority: 'Mã ưu tiên có hiệu lực khi bạn vào hàng chờ.',
  inLine: 'Bạn đã ở trong hàng chờ. Mã ưu tiên chỉ có hiệu lực khi vào hàng.',
  atCheckout: 'Mức giảm hiển thị ở bước thanh toán.',
}
