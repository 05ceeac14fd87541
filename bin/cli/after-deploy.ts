import { CommandFailed } from './errors.ts';
import { protectDeployedTables } from './protection.ts';

// npm runs this module after `npm run deploy`, if the deployment succeeded.
try {
  for (const result of await protectDeployedTables(process.env.CDK_OUTDIR ?? 'cdk.out'))
    console.log(JSON.stringify(result));
} catch (error) {
  console.error(error instanceof CommandFailed ? error.message : error);
  console.error('The deployment succeeded, but some tables may lack deletion protection.');
  console.error('Run npx dogs tables protect --stack <name>.');
  process.exitCode = 1;
}
