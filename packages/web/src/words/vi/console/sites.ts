import type { Words } from '../../words.ts'

export const sites: Words['sites'] = {
  title: 'Đặt trước trang web của bạn',
  open: 'Cài đặt và kiểm tra',
  lead: 'Bộ gác chạy trong trang web của bạn. Nó đưa khách đến chờ ở đây và cho những người đến lượt vào.',
  facts: 'Phòng chờ này',
  id: 'Mã phòng',
  waitingPage: 'Trang chờ',
  name: 'Tên',
  target: 'Địa chỉ trang web của bạn',
  targetHint: 'Khách đến đây khi tới lượt. Bộ gác phải chạy ở cùng origin.',
  save: 'Lưu',
  saved: 'Đã lưu. Nhật ký thao tác có ghi lại.',
  snippets: 'Thêm bộ gác',
  snippetsLead: 'Cài @seatwise/guard, sao chép một trong các mẫu dưới đây và cấp cho trang một mã bí mật riêng.',
  check: 'Kiểm tra hoạt động',
  checkLead:
    'Chúng tôi ghé trang của bạn như trình duyệt không có giấy vào, rồi với giấy vào có hiệu lực một phút. Không lưu gì, không ai mất chỗ.',
  checkNow: 'Kiểm tra ngay',
  results: {
    works:
      'Hoạt động tốt: không có giấy vào thì được đưa đến trang chờ, có thì vào được. Trang của bạn trả lời {status}.',
    unreachable: 'Trang của bạn không trả lời: {detail}. Hãy kiểm tra địa chỉ ở trên và trang có đang chạy không.',
    open: 'Trang của bạn cho chúng tôi vào mà không cần giấy vào (trả lời {status}). Bộ gác đã được cài và đứng trước mọi thứ khác chưa? Đường dẫn này có nằm trong danh sách bỏ qua không?',
    other_room: 'Bộ gác của trang được cài cho phòng khác: {detail}. Hãy dùng mã phòng ở trên.',
    other_server: 'Bộ gác của trang đưa khách đến {detail}. Hãy đặt roomUrl là {here}.',
    redirects:
      'Trang của bạn chuyển hướng đến {detail} trước khi hỏi bộ gác. Hãy dùng địa chỉ đó ở trên và cho site của bộ gác.',
    room_unreachable:
      'Bộ gác có ở đó nhưng không liên lạc được với máy chủ này. Hãy kiểm tra roomUrl, apiUrl và việc trang của bạn truy cập được {here}.',
    site_error: 'Trang của bạn trả lời {status}. Sau nginx, đó cũng là câu trả lời khi seatwise guard không chạy.',
    no_entrance:
      'Khách được đưa đến trang chờ, nhưng /.seatwise/enter trả lời {status}: đường dẫn đó phải dẫn đến bộ gác.',
    pass_refused: 'Bộ gác từ chối một giấy vào hợp lệ. Hãy kiểm tra đồng hồ của trang và roomUrl là {here}.',
    session_lost:
      'Bộ gác cho chúng tôi vào rồi không nhận ra chúng tôi. Mọi tiến trình của trang có cùng mã bí mật và trang có giữ cookie không?',
  },
  connector: 'Thay cho bộ gác: bộ kết nối của hãng khác',
  connectorLead:
    'Trang dùng bộ kết nối của Queue-it (KnownUser v3) có thể dùng phòng này mà không cần bộ gác. Đặt tên miền hàng chờ là {here}.',
  customerId: 'Mã khách hàng',
  eventId: 'Mã sự kiện',
  secretKey: 'Khóa bí mật',
  secretKeyHint: 'Để trống: chúng tôi tạo một khóa và hiện một lần.',
  connectorSave: 'Lưu bộ kết nối',
  connectorNow: 'Phòng này có bộ kết nối: khách hàng {customer}, sự kiện {event}.',
  connectorSaved: 'Đã lưu bộ kết nối.',
  connectorSecret: 'Khóa bí mật, chỉ hiện lần này',
  connectorRemove: 'Gỡ bộ kết nối',
  connectorRemoveLead: 'Khách quay lại với mã của bộ kết nối này không còn được trang cho vào.',
  connectorRemoveConfirm: 'Gỡ ngay',
  connectorRemoved: 'Đã gỡ bộ kết nối.',
  problems: {
    target: 'Không dùng được địa chỉ đó: phải là http hoặc https, không chứa mật khẩu. Chưa lưu gì.',
    taken: 'Phòng khác đã dùng các mã này. Chưa lưu gì.',
    names: 'Mã gồm chữ cái, chữ số và gạch nối; khóa dài 16 đến 200 ký tự. Chưa lưu gì.',
  },
}
