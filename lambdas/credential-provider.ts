/**
 * In the bundles, this takes the place of the SDK's chain of credential providers. A function has its role's credentials
 * in its environment and nowhere else; where they are missing, its first call fails and says so. The
 * rest of the chain (profiles, SSO, container and instance metadata) would be a third of the bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
