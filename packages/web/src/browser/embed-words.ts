/**
 * What the button on other sites says. Apart from the words of the pages: the script is one small file, and whole
 * languages would come with it.
 */
interface EmbedWords {
  readonly buy: string
  readonly join: string
  readonly from: string
  readonly left: string
  readonly soldOut: string
  readonly ended: string
}

export type EmbedLanguage = 'en' | 'ko' | 'vi'

export const EMBED_WORDS: Readonly<Record<EmbedLanguage, EmbedWords>> = {
  en: {
    buy: 'Buy tickets',
    join: 'Join the line',
    from: 'On sale from {time}',
    left: 'Tickets left: {count}',
    soldOut: 'Sold out',
    ended: 'The sale has ended',
  },
  ko: {
    buy: '예매하기',
    join: '대기열 참여',
    from: '{time} 판매 시작',
    left: '남은 좌석: {count}',
    soldOut: '매진',
    ended: '판매가 종료되었습니다',
  },
  vi: {
    buy: 'Mua vé',
    join: 'Vào hàng chờ',
    from: 'Mở bán {time}',
    left: 'Số vé còn lại: {count}',
    soldOut: 'Hết vé',
    ended: 'Đợt bán đã kết thúc',
  },
}
