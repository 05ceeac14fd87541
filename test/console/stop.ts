import stopServices from '../support/stop-service.ts';
import './start.ts';

export default async function stop(run: Parameters<typeof stopServices>[0]): Promise<void> {
  await Promise.all([globalThis.browserServer?.close(), stopServices(run)]);
}
