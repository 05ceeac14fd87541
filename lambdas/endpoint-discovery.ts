/**
 * Replaces the SDK's endpoint discovery, which would take up 6 KB of each bundle. The DynamoDB client always configures endpoint
 * discovery, which is off, but never uses it.
 */
export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}

const absent = () => undefined;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: absent,
  configFileSelector: absent,
};
