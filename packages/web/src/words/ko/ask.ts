import type { Words } from '../words.ts'

export const ask: Words['ask'] = {
  ticket: '티켓 {number}',
  holder: '관람자 이름',
  choose: '선택하세요',
  optional: '(선택)',
  accept: '이용약관에 동의합니다',
  readTerms: '{site}에서 약관 보기 (새 창)',
  marketing: '주최자가 다른 공연 소식을 이메일로 보내는 것에 동의합니다. 동의는 언제든지 철회할 수 있습니다.',
  problems: {
    other: '입력이 필요하거나 잘못된 항목이 {count}개 있습니다. 결제된 금액은 없으며 좌석은 유지됩니다.',
  },
  needed: '입력해 주세요.',
  choiceNeeded: '하나를 선택해 주세요.',
  emailNeeded: '올바른 이메일 주소를 입력해 주세요.',
  termsNeeded: '계속하려면 약관에 동의해 주세요.',
  termsChanged: '약관이 변경되었습니다. 다시 확인하고 동의해 주세요.',
}
