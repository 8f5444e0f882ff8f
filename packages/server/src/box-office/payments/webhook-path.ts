/** Where a payment provider tells us that something has changed. */
export const webhookPath = (provider: string): string => `/api/payments/webhooks/${provider}`
