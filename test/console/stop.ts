import { stopServices } from '../support/stop-service.ts';
import './start.ts';

export default async function stop(): Promise<void> {
  await Promise.all([globalThis.browserServer?.close(), stopServices('console')]);
}
