import './start-service.ts';

export default async function stop(): Promise<void> {
  await globalThis.stopService?.();
}
