import type { Words } from '../../words.ts'

export const consoleStart: Words['console']['start'] = {
  title: '대기열이 열리기 전',
  lead: '방문자가 미리 와서 순번 없이 기다릴 수 있습니다. 첫 방문자가 들어오면 사전 대기와 추첨은 변경할 수 없습니다.',
  preQueueAt: '사전 대기 시작 (비워 두면 없음)',
  opensAt: '대기열이 열리는 시각 (비워 두면 항상 열림)',
  closesAt: '대기열이 닫히는 시각 (비워 두면 없음)',
  draw: '열릴 때 기다리는 사람의 순서',
  drawNone: '도착한 순서',
  drawCommit: '추첨',
  drawDrand: '공개 비콘을 사용한 추첨 (권장)',
  save: '적용',
  announced: '추첨이 공개 기록에 예고되었습니다.',
  sealed: '{count}장의 대기표로 봉인되었습니다. 순서를 추첨하고 있습니다.',
  revealed: '순서가 추첨되었습니다: 대기표 {count}장.',
  round: '공개 비콘의 {round}번째 라운드를 사용합니다.',
  signature: '이 서버가 비콘에 연결할 수 없을 때 그 라운드의 서명',
  bring: '이 서명 사용',
}
