import { createHmac } from 'node:crypto'
import {
  CancelEventConfig,
  KnownUser,
  QueueEventConfig,
  type RequestValidationResult,
} from '@queue-it/connector-javascript'

/** A shop that is wired for Queue-it: the vendor's own connector, with a browser's cookies. */
export class VendorShop {
  readonly url = 'https://shop.example.com/drop?size=42'
  readonly cookies = new Map<string, string>()
  /** The Seatwise server instead of the vendor's. */
  readonly queueDomain: string
  readonly customerId = 'acme'
  readonly #eventId: string
  readonly #secretKey: string

  constructor(queueDomain: string, eventId: string, secretKey: string) {
    this.queueDomain = queueDomain
    this.#eventId = eventId
    this.#secretKey = secretKey
  }

  /** What the connector makes of a request for the shop's page. */
  async ask(token = ''): Promise<RequestValidationResult> {
    const domain = ['', this.queueDomain, null, false, 20, '', true, true, 3, 'drop'] as const
    const config = new QueueEventConfig(this.#eventId, [], '', ...domain)
    const key = this.#secretKey
    return await KnownUser.resolveQueueRequestByLocalConfig(
      this.url,
      token,
      config,
      this.customerId,
      key,
      this.#context(),
      null,
    )
  }

  /** What the connector does when the visitor has bought something. */
  cancel(): RequestValidationResult {
    const config = new CancelEventConfig([this.#eventId], this.queueDomain, '', '', true, true, 3, 'bought')
    return KnownUser.cancelRequestByLocalConfig(this.url, '', config, this.customerId, this.#secretKey, this.#context())
  }

  #context(): Parameters<typeof KnownUser.resolveQueueRequestByLocalConfig>[5] {
    const { cookies, url } = this
    return {
      getHttpRequest: () => ({
        getUserAgent: () => 'a browser',
        getHeader: () => '',
        getAbsoluteUri: () => url,
        getUserHostAddress: () => '192.0.2.1',
        getCookieValue: (name) => cookies.get(name),
        getRequestBodyAsString: () => '',
      }),
      getHttpResponse: () => ({ setCookie: (name, value) => void cookies.set(name, value) }),
      getCryptoProvider: () => ({
        getSha256Hash: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
      }),
      getEnqueueTokenProvider: () => null,
    }
  }
}
