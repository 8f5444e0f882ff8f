import type { Words } from '../words.ts'

export const signIn: Words['signIn'] = {
  title: '로그인',
  newTitle: '회원가입',
  lead: '로그인해도 대기 순서는 그대로 유지됩니다.',
  email: '이메일',
  password: '비밀번호',
  passwordHint: '8자 이상. 기억하기 쉬운 단어 몇 개를 이어 쓰면 좋습니다.',
  name: '이름',
  submit: '로그인',
  submitNew: '가입하기',
  isNew: '처음이신가요?',
  isKnown: '이미 회원이신가요?',
  wrong: '이메일 또는 비밀번호가 올바르지 않습니다. 다시 입력해 주세요.',
  emailTaken: '이미 가입된 이메일입니다. 로그인해 주세요.',
  weakPassword: '추측하기 쉬운 비밀번호입니다. 단어 몇 개처럼 더 긴 비밀번호를 입력해 주세요.',
  badEmail: '올바른 이메일 주소를 입력해 주세요.',
  badName: '이름을 입력해 주세요.',
  tooOften: '시도 횟수가 너무 많습니다. 1분 뒤에 다시 시도해 주세요.',
  overLimit: {
    other:
      '{event} {count}석 예매가 취소되었습니다. 이 예매를 합하면 1인 예매 한도를 넘습니다. 결제된 금액은 없습니다.',
  },
  passwordOptional: '비밀번호 (선택)',
  linkHint: '비밀번호를 비워 두시면 로그인 링크와 인증번호를 이메일로 보내 드립니다.',
  codeTitle: '이메일을 확인해 주세요',
  codeLead:
    '{email}(으)로 이메일을 보냈습니다. 이메일의 링크를 열거나 8자리 인증번호를 여기에 입력해 주세요. 15분 동안 한 번만 사용할 수 있습니다.',
  codeLeadTyped: '이메일 주소와 이메일로 받은 8자리 인증번호를 입력해 주세요.',
  code: '인증번호',
  codeHint: '숫자 8자리',
  codeAgain: '이메일이 오지 않았나요? 스팸 메일함을 확인하시거나',
  codeAgainLink: '다시 받아 보세요',
  codeWrong:
    '인증번호가 올바르지 않거나 이미 사용되었거나 유효 시간이 지났습니다. 다시 확인하시거나 새 이메일을 요청해 주세요.',
  linkLead: '{email} 계정으로 로그인합니다.',
  linkForeign:
    '이 링크는 {email} 계정으로 로그인하는 링크이며, 이 브라우저에서 요청한 것이 아닙니다. 본인의 주소이고 직접 요청하신 경우에만 계속해 주세요.',
  linkConfirm: '네, {email}은(는) 제 주소입니다.',
  linkUnconfirmed: '본인의 주소가 맞으면 확인란에 표시해 주세요.',
  linkOverTitle: '더 이상 사용할 수 없는 링크입니다',
  linkOverLead: '이미 사용되었거나 15분이 지났습니다.',
  linkAgain: '이메일 다시 받기',
  mailSubject: '로그인 인증번호와 링크',
  mailCode: '로그인 인증번호: {code}',
  mailCodeWhere: '요청하신 페이지에 입력해 주세요.',
  mailLink: '또는 이 페이지를 열고 버튼을 눌러 주세요: {url}',
  mailOnce:
    '인증번호와 링크는 15분 동안 한 번만 사용할 수 있습니다. 전화나 메시지로 인증번호를 요청하는 일은 없습니다.',
  mailIgnore: '요청하신 적이 없다면 이 이메일을 무시해 주세요. 아무 일도 일어나지 않습니다.',
  signedInAs: '{name} 님으로 로그인했습니다.',
}
