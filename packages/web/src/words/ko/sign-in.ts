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
  signedInAs: '{name} 님으로 로그인했습니다.',
}
