import type { Words } from '../words.ts'

export const trouble: Words['trouble'] = {
  notFoundTitle: 'Không tìm thấy trang',
  notFound: 'Không có trang nào ở địa chỉ này. Liên kết có thể bị thiếu, hoặc sự kiện đã kết thúc. Bạn không mất gì.',
  forbiddenTitle: 'Bạn không có quyền truy cập',
  forbidden: 'Trang này thuộc tài khoản khác. Hãy đăng nhập bằng tài khoản đó.',
  busyTitle: 'Vui lòng chờ trong giây lát',
  busy: 'Hiện có rất nhiều người truy cập. Vị trí và ghế của bạn vẫn an toàn. Trang này sẽ tự thử lại.',
  brokenTitle: 'Có lỗi ở phía chúng tôi',
  broken: 'Bạn không bị trừ tiền và không mất gì. Hãy thử lại; nếu vẫn lỗi, hãy liên hệ và cho biết số này: {id}',
  badTitle: 'Không xử lý được yêu cầu',
  bad: 'Nội dung gửi đi chưa đầy đủ. Hãy quay lại và thử lại; chưa có gì thay đổi.',
  crossSite: 'Yêu cầu này không gửi từ trang của chúng tôi nên chưa có gì được làm. Hãy mở lại trang và bấm nút ở đó.',
  goHome: 'Xem các sự kiện',
  tryAgain: 'Thử lại',
  status: {
    title: 'Tình trạng hệ thống',
    allWell: 'Mọi thứ hoạt động bình thường.',
    notWell: 'Hiện có phần không hoạt động.',
    rooms: 'Phòng chờ',
    sales: 'Ghế, giữ chỗ và thanh toán',
    works: 'Bình thường',
    silent: 'Không trả lời',
    since: 'từ {time}',
    seen: 'Máy chủ này kiểm tra lúc {time}. Trang tự làm mới.',
    roomsMeans: 'Vị trí của bạn vẫn an toàn. Việc vào tạm dừng rồi tự tiếp tục; hãy giữ trang chờ mở.',
    salesMeans:
      'Những gì bạn đã trả tiền vẫn an toàn. Giữ chỗ và thanh toán tạm dừng; trang hiện thông tin biết gần nhất.',
  },
}
