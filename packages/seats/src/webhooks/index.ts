export {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  type NewWebhook,
  readWebhook,
  sealWebhookAgain,
  type Webhook,
} from './webhooks.ts'
