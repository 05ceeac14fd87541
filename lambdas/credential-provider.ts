/**
 * Replaces the SDK's chain of credential providers in the bundles. A function has the credentials of its role in its
 * environment. The rest of the chain (profiles, SSO, container and instance metadata) would be a third of the bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
