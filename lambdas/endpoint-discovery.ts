/**
 * Replaces the SDK's discovery of endpoints in the bundles. The original, with its cache, would take up 6 KB of each bundle. The
 * DynamoDB client always configures the discovery, but never uses it, because endpoint discovery is off.
 */
export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}

const absent = () => undefined;

/** The setting of the discovery, which no source turns on. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: absent,
  configFileSelector: absent,
};
