import type { Words } from '../words.ts'

export const signIn: Words['signIn'] = {
  title: '로그인',
  newTitle: '계정 만들기',
  lead: '로그인해도 대기 순서는 그대로 유지됩니다.',
  email: '이메일 주소',
  password: '비밀번호',
  passwordHint: '8자 이상. 기억하기 쉬운 단어 몇 개가 가장 좋습니다.',
  name: '이름',
  submit: '로그인',
  submitNew: '계정 만들기',
  isNew: '처음이신가요?',
  isKnown: '이미 계정이 있으신가요?',
  wrong: '이메일 주소와 비밀번호가 맞지 않습니다. 다시 입력해 주세요.',
  emailTaken: '이 이메일 주소로 만든 계정이 이미 있습니다. 로그인해 주세요.',
  weakPassword: '추측하기 쉬운 비밀번호입니다. 단어 몇 개처럼 더 긴 비밀번호를 정해 주세요.',
  badEmail: '이메일 주소 형식이 아닌 것 같습니다.',
  badName: '이름을 알려 주세요.',
  tooOften: '시도가 너무 많았습니다. 1분 뒤에 다시 해 주세요.',
  overLimit: {
    other:
      '{event} {count}석 예약이 취소되었습니다. 이 예약을 더하면 한 사람이 가질 수 있는 좌석 수를 넘습니다. 결제된 금액은 없습니다.',
  },
  signedInAs: '{name} 님으로 로그인했습니다.',
}
