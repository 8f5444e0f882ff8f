export {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  listWebhooksSealedWith,
  type NewWebhook,
  readWebhook,
  sealWebhookAgain,
  type Webhook,
} from '../outbox/webhooks.ts'
