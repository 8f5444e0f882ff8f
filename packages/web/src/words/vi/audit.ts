import type { Words } from '../words.ts'

export const audit: Words['audit'] = {
  title: 'Tự kiểm tra hàng chờ',
  lead: 'Mọi việc diễn ra trong hàng chờ này đều nằm trong nhật ký công khai, không có tên. Trình duyệt của bạn có thể kiểm tra rằng nhật ký không bị sửa và không ai được vào trước người khác.',
  start: 'Kiểm tra ngay',
  checking: 'Đã kiểm tra {checked} trên {all} mục',
  good: 'Nhật ký đúng: cả {count} mục đều khớp với chữ ký và thứ tự được giữ nguyên.',
  sampled: 'Nhật ký có {count} mục, quá nhiều cho một trình duyệt. Đã kiểm tra một phần và phần đó đúng.',
  bad: 'Nhật ký này có vấn đề. Hãy lưu trang này và báo cho ban tổ chức.',
  broken: 'Không đọc được nhật ký. Hãy kiểm tra kết nối rồi thử lại; không có gì bị mất.',
  unsigned: 'Trình duyệt của bạn không kiểm tra được chữ ký. Mọi thứ khác đã được kiểm tra.',
  own: 'Lượt vào hàng của bạn là mục {index} trong nhật ký.',
  kept: 'Từ lần kiểm tra trước, nhật ký chỉ được ghi thêm.',
  noScript: 'Nếu không có script, trang này không thể kiểm tra giúp bạn. Nhật ký gốc và chữ ký được công khai:',
  log: 'Nhật ký gốc',
  head: 'Chữ ký',
  limits: 'Kết quả cho thấy nhật ký không bị sửa. Nó không cho biết mỗi vé chờ có phải là của một người hay không.',
}
