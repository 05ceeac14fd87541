import { protectDeployedTables } from './protection.ts';
import { UsageError } from './usage.ts';

/** npm runs this after `npm run deploy`, if the deployment succeeded. */
try {
  for (const result of await protectDeployedTables(process.env.CDK_OUTDIR ?? 'cdk.out'))
    console.log(JSON.stringify(result));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  console.error('The deployment succeeded, but the tables lack deletion protection.');
  console.error('Run npm run operator -- tables protect --stack <name>.');
  process.exitCode = 1;
}
