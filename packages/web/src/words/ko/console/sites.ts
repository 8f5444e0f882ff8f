import type { Words } from '../../words.ts'

export const sites: Words['sites'] = {
  title: '내 사이트 앞에 설치하기',
  open: '설정과 점검',
  lead: '가드는 사이트 안에서 실행됩니다. 방문자를 이곳에서 대기하게 하고 차례가 된 방문자를 들여보냅니다.',
  facts: '이 대기실',
  id: '대기실 ID',
  waitingPage: '대기 페이지',
  name: '이름',
  target: '사이트 주소',
  targetHint: '차례가 된 방문자가 이동하는 주소입니다. 가드는 같은 오리진에서 실행되어야 합니다.',
  save: '저장',
  saved: '저장했습니다. 감사 기록에서 확인할 수 있습니다.',
  snippets: '가드 추가',
  snippetsLead: '@seatwise/guard를 설치하고 아래에서 하나를 복사한 뒤 사이트 전용 시크릿을 지정하세요.',
  check: '작동 확인',
  checkLead:
    '통행권 없는 브라우저로 사이트를 방문한 다음, 1분간 유효한 통행권으로 다시 방문합니다. 아무것도 저장되지 않고 대기 순서에도 영향이 없습니다.',
  checkNow: '지금 확인',
  results: {
    works: '정상입니다. 통행권이 없으면 대기로 이동했고, 있으면 입장했습니다. 사이트 응답: {status}.',
    unreachable: '사이트가 응답하지 않았습니다: {detail}. 위의 주소와 사이트가 실행 중인지 확인하세요.',
    open: '통행권 없이 입장되었습니다(응답 {status}). 가드가 설치되어 있고 다른 처리보다 먼저 실행되나요? 이 경로가 예외로 지정되어 있나요?',
    other_room: '사이트의 가드가 다른 대기실용입니다: {detail}. 위의 대기실 ID를 지정하세요.',
    other_server: '사이트의 가드가 방문자를 {detail}(으)로 보냅니다. roomUrl을 {here}(으)로 지정하세요.',
    redirects: '가드에 묻기 전에 사이트가 {detail}(으)로 이동시킵니다. 위의 주소와 가드의 site에 그 주소를 사용하세요.',
    room_unreachable:
      '가드는 있지만 이 서버에 연결하지 못합니다. roomUrl과 apiUrl, 그리고 사이트에서 {here}에 연결할 수 있는지 확인하세요.',
    site_error:
      '사이트가 {status}(으)로 응답했습니다. nginx에서는 seatwise guard가 실행 중이 아닐 때도 이렇게 응답합니다.',
    no_entrance:
      '방문자는 대기로 이동하지만 /.seatwise/enter가 {status}(으)로 응답했습니다. 이 경로는 가드로 연결되어야 합니다.',
    pass_refused: '가드가 올바른 통행권을 거부했습니다. 사이트의 시계와 roomUrl이 {here}인지 확인하세요.',
    session_lost:
      '가드가 입장을 허용한 뒤 알아보지 못했습니다. 사이트의 모든 프로세스가 같은 시크릿을 쓰고 쿠키를 유지하나요?',
  },
  connector: '가드 대신 다른 업체의 커넥터',
  connectorLead:
    'Queue-it 커넥터(KnownUser v3)를 쓰는 사이트는 가드 없이 이 대기실을 사용할 수 있습니다. 대기열 도메인을 {here}(으)로 지정하세요.',
  customerId: '고객 ID',
  eventId: '이벤트 ID',
  secretKey: '시크릿 키',
  secretKeyHint: '비워 두면 새로 만들어 한 번만 표시합니다.',
  connectorSave: '커넥터 저장',
  connectorNow: '이 대기실의 커넥터: 고객 {customer}, 이벤트 {event}.',
  connectorSaved: '커넥터를 저장했습니다.',
  connectorSecret: '시크릿 키(이번에만 표시)',
  connectorRemove: '커넥터 제거',
  connectorRemoveLead: '이 커넥터의 토큰으로 돌아오는 방문자는 더 이상 사이트에 들어갈 수 없습니다.',
  connectorRemoveConfirm: '지금 제거',
  connectorRemoved: '커넥터를 제거했습니다.',
  problems: {
    target: '사용할 수 없는 주소입니다. http 또는 https여야 하며 비밀번호를 포함할 수 없습니다. 저장된 것은 없습니다.',
    taken: '다른 대기실이 이미 같은 ID를 사용합니다. 저장된 것은 없습니다.',
    names: 'ID는 영문자, 숫자, 하이픈만 쓸 수 있고 키는 16~200자입니다. 저장된 것은 없습니다.',
  },
}
