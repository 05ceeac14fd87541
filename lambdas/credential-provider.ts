/**
 * Replaces the SDK's default credential provider chain in the bundles. Lambda passes the credentials in environment
 * variables; the chain's other providers would take up a third of each bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
