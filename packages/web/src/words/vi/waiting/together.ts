import type { Words } from '../../words.ts'

export const together: Words['together'] = {
  ask: 'Bạn chờ cùng người khác?',
  how: 'Tối đa {count} người có thể chờ cùng nhau. Cả nhóm dùng chung một vị trí, là vị trí của người vào sau cùng. Đến lượt, ai trong nhóm cũng có thể vào; một người giữ chỗ và thanh toán cho cả nhóm.',
  invite: 'Mời người khác',
  inviteTitle: 'Mời người khác chờ cùng bạn',
  inviteHow: 'Gửi liên kết này hoặc mã. Mã dùng được trong lúc bạn đang chờ.',
  link: 'Liên kết',
  code: 'Mã nhóm',
  join: 'Chờ cùng nhóm',
  joinHow: 'Nếu bạn đứng trước nhóm, bạn lùi về vị trí của nhóm; nếu bạn đứng sau, cả nhóm lùi về vị trí của bạn.',
  unknown: 'Không có nhóm nào với mã này.',
  over: 'Nhóm này không còn chờ nữa.',
  full: 'Nhóm này đã đủ người.',
  inGroup: 'Bạn đang chờ cùng một nhóm. Hãy rời hàng chờ để vào nhóm khác.',
  limited: 'Nhập sai mã quá nhiều lần. Vui lòng đợi một lát rồi thử lại.',
  drawing: 'Đang bốc thăm vị trí. Vui lòng thử lại sau giây lát.',
}
