import type { Words } from '../../words.ts'

export const acts: Words['acts'] = {
  states: { draft: 'Bản nháp', published: 'Đã công bố', cancelled: 'Đã hủy' },
  draftLead: 'Bản nháp: chỉ nhóm của bạn thấy và chưa ai vào hàng được. Hãy công bố khi mọi thứ đã đúng.',
  publish: 'Công bố',
  duplicate: 'Nhân bản',
  duplicateLead: 'Tạo một bản nháp có cùng thông tin, giá, sơ đồ, câu hỏi và phòng chờ.',
}
