import { AwsEndpoint, type Part } from '../../local/endpoint/endpoint.ts';
import { region } from '../../local/template/template.ts';

/** A part behind the endpoint, and the configuration of a client of the SDK that calls it, without retries. */
export async function serve(service: string, part: Part) {
  const endpoint = new AwsEndpoint();
  await endpoint.listen(0);
  endpoint.admit('KEY', 'test');
  endpoint.mount(service, part);
  const configuration = {
    endpoint: endpoint.url,
    region,
    credentials: { accessKeyId: 'KEY', secretAccessKey: 'x' },
    maxAttempts: 1,
  };
  return { endpoint, configuration };
}
