import type { Words } from '../../words.ts'

export const acts: Words['acts'] = {
  states: { draft: '초안', published: '공개됨', cancelled: '취소됨' },
  draftLead: '초안입니다. 팀만 볼 수 있고 대기열에 참여할 수 없습니다. 모두 확인한 뒤 공개하세요.',
  publish: '공개',
  duplicate: '복제',
  duplicateLead: '정보, 가격, 좌석 배치, 질문, 대기실 설정이 같은 초안을 만듭니다.',
}
