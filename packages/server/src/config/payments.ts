export type PaymentSettings =
  | { readonly provider: 'sandbox' }
  | {
      readonly provider: 'stripe'
      readonly key: string
      readonly webhookSecret: string
      readonly url: string
      /** Percent of payments to connected accounts that the house keeps. */
      readonly feePercent: number
    }
  | { readonly provider: 'mollie'; readonly key: string; readonly url: string }

type PaymentSetting =
  | 'SEATWISE_PAYMENTS'
  | 'SEATWISE_STRIPE_KEY'
  | 'SEATWISE_STRIPE_WEBHOOK_SECRET'
  | 'SEATWISE_STRIPE_URL'
  | 'SEATWISE_STRIPE_FEE_PERCENT'
  | 'SEATWISE_MOLLIE_KEY'
  | 'SEATWISE_MOLLIE_URL'
  | 'SEATWISE_PUBLIC_URL'

/** Who moves the money. Problems never repeat a key. */
export function readPayments(value: (name: PaymentSetting) => string | null, problems: string[]): PaymentSettings {
  const name = 'SEATWISE_PAYMENTS'
  const provider = value(name) ?? 'sandbox'
  const stripeUrl = origin('SEATWISE_STRIPE_URL', 'https://api.stripe.com')
  const feePercent = percent('SEATWISE_STRIPE_FEE_PERCENT')
  const mollieUrl = origin('SEATWISE_MOLLIE_URL', 'https://api.mollie.com')
  const [key, webhookSecret] = [value('SEATWISE_STRIPE_KEY'), value('SEATWISE_STRIPE_WEBHOOK_SECRET')]
  const mollieKey = value('SEATWISE_MOLLIE_KEY')
  const hasSite = value('SEATWISE_PUBLIC_URL') !== null
  switch (provider) {
    case 'sandbox':
      return { provider }
    case 'stripe':
      if (key !== null && webhookSecret !== null && hasSite) {
        return { provider, key, webhookSecret, url: stripeUrl, feePercent }
      }
      problems.push(
        `${name}=stripe needs SEATWISE_STRIPE_KEY, SEATWISE_STRIPE_WEBHOOK_SECRET and SEATWISE_PUBLIC_URL, to which buyers return.`,
      )
      break
    case 'mollie':
      if (mollieKey !== null && hasSite) return { provider, key: mollieKey, url: mollieUrl }
      problems.push(`${name}=mollie needs SEATWISE_MOLLIE_KEY and SEATWISE_PUBLIC_URL, to which buyers return.`)
      break
    default:
      problems.push(`${name} must be "sandbox", "stripe" or "mollie", not "${provider}".`)
  }
  return { provider: 'sandbox' }

  function percent(setting: PaymentSetting): number {
    const text = value(setting) ?? '0'
    if (/^\d{1,3}(?:\.\d{1,3})?$/.test(text) && Number(text) <= 100) return Number(text)
    problems.push(`${setting} must be a percentage from 0 to 100 with at most three decimals, not "${text}".`)
    return 0
  }

  function origin(setting: PaymentSetting, otherwise: string): string {
    const url = value(setting) ?? otherwise
    if (!/^https?:\/\/[^/?#@]+\/?$/.test(url)) problems.push(`${setting} must be an origin such as ${otherwise}.`)
    return url
  }
}
