import type { Emulator } from '../../endpoint/emulator.ts';
import { AwsEndpoint } from '../../endpoint/endpoint.ts';
import { region } from '../../template/arns.ts';

/** Serves an emulator at an endpoint. Returns the configuration of an SDK client that calls the emulator without retries. */
export async function serve(service: string, emulator: Emulator) {
  const endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  endpoint.mount(service, emulator);
  const configuration = {
    endpoint: endpoint.url,
    region,
    credentials: endpoint.accessKeyOf('test'),
    maxAttempts: 1,
  };
  return { endpoint, configuration };
}
