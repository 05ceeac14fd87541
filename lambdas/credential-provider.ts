/**
 * Replaces the SDK's default credential provider chain in the bundles. Lambda passes the credentials of the function's role in
 * environment variables, so one provider is enough. The other providers (profiles, SSO, container and instance metadata) would
 * take up a third of each bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
