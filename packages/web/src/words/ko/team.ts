import type { Words } from '../words.ts'

export const team: Words['team'] = {
  roles: {
    owner: '소유자',
    manager: '매니저',
    box_office: '매표소',
    door: '입장 확인',
    viewer: '보기 전용',
  },
  inviteTitle: '{organization} 참여',
  inviteLead: '{email} 주소가 {organization}에 초대되었습니다. 역할: {role}.',
  accept: '초대 수락',
  acceptedTitle: '{organization}의 구성원이 되었습니다',
  acceptedLead: '{email}(으)로 로그인하면 바로 시작할 수 있습니다.',
  goSignIn: '로그인',
  overTitle: '만료된 초대입니다',
  overLead: '이미 사용했거나 취소되었거나 너무 오래되었습니다. 다시 초대를 요청하세요.',
  mailSubject: '{organization}에 초대되었습니다',
  mailInvited: '{organization}에서 함께 일하도록 초대되었습니다. 역할: {role}.',
  mailLink: '일주일 안에 초대를 수락하세요: {url}',
  mailIgnore: '보낸 사람을 모르면 이 이메일을 무시하세요.',
}
