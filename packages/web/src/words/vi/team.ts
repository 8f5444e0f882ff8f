import type { Words } from '../words.ts'

export const team: Words['team'] = {
  roles: {
    owner: 'Chủ sở hữu',
    manager: 'Quản lý',
    box_office: 'Quầy vé',
    door: 'Soát vé',
    viewer: 'Chỉ xem',
  },
  inviteTitle: 'Tham gia {organization}',
  inviteLead: '{email} được mời vào {organization} với vai trò: {role}.',
  accept: 'Chấp nhận lời mời',
  acceptedTitle: 'Bạn là thành viên của {organization}',
  acceptedLead: 'Đăng nhập bằng {email} để bắt đầu.',
  goSignIn: 'Đăng nhập',
  overTitle: 'Lời mời này không còn hiệu lực',
  overLead: 'Lời mời đã được dùng, bị thu hồi hoặc quá cũ. Hãy xin lời mời khác.',
  mailSubject: 'Bạn được mời vào {organization}',
  mailInvited: 'Bạn được mời làm việc cho {organization} với vai trò: {role}.',
  mailLink: 'Chấp nhận lời mời trong vòng một tuần: {url}',
  mailIgnore: 'Nếu bạn không biết người gửi, hãy bỏ qua email này.',
}
