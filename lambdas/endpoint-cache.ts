/**
 * Replaces the SDK's cache of discovered endpoints in the bundles, which takes 5 KB of each. The DynamoDB client always creates
 * the cache, but endpoint discovery is off, and DynamoDB's commands do not use it.
 */
export class EndpointCache {
  getEndpoint(): undefined {
    return undefined;
  }
}
