import type { Words } from '../../words.ts'

export const consoleStart: Words['console']['start'] = {
  title: 'Trước khi hàng chờ mở',
  lead: 'Khách có thể đến sớm và chờ khi chưa có vị trí. Không thể đổi giờ chờ trước và cách bốc thăm sau khi khách đầu tiên đã vào.',
  preQueueAt: 'Khách được vào chờ từ (để trống: không có)',
  opensAt: 'Hàng chờ mở lúc (để trống: luôn mở)',
  closesAt: 'Hàng chờ đóng lúc (để trống: không đóng)',
  draw: 'Thứ tự của những người chờ khi mở',
  drawNone: 'theo thứ tự đến',
  drawCommit: 'bốc thăm',
  drawDrand: 'bốc thăm với nguồn ngẫu nhiên công khai (nên dùng)',
  save: 'Áp dụng',
  announced: 'Việc bốc thăm đã được công bố trong nhật ký công khai.',
  sealed: 'Đã niêm phong với {count} vé chờ. Đang bốc thăm thứ tự.',
  revealed: 'Đã bốc thăm thứ tự: {count} vé chờ.',
  round: 'Dùng vòng {round} của nguồn ngẫu nhiên công khai.',
  signature: 'Chữ ký của vòng đó, nếu máy chủ này không kết nối được với nguồn ngẫu nhiên',
  bring: 'Dùng chữ ký này',
}
