/**
 * Replaces the SDK's endpoint discovery, which the DynamoDB client configures but never uses. It would take up 6 KB of
 * each bundle.
 */
export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}

const absent = () => undefined;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: absent,
  configFileSelector: absent,
};
