/** The emulators and the parts of API Gateway, for tests that run one of them without the others. */
export type { Emulator } from './endpoint/emulator.ts';
export { AwsEndpoint, type Page, type PageContent, type Redirect } from './endpoint/endpoint.ts';
export { json, jsonError } from './endpoint/response.ts';
export { EventBus } from './eventbridge/event-bus.ts';
export { ApiModel } from './gateway/api-model.ts';
export { integrationResponse } from './gateway/integration.ts';
export { proxyEventOf } from './gateway/proxy-event.ts';
export { newIds } from './gateway/request-ids.ts';
export { segmentsOf } from './gateway/request-parsing.ts';
export { type AuthorizationDecision, operator } from './iam/authorization.ts';
export { logLine } from './lambda/log-format.ts';
export { serveInbox } from './ses/inbox.ts';
export { inboxPage } from './ses/inbox-page.ts';
export { Mailbox } from './ses/mailbox.ts';
export { SqsEmulator } from './sqs/emulator.ts';
export { Queues } from './sqs/queues.ts';
