import type { CommandContext, CommandHelp, Group, Run } from './command.ts';
import { type Outputs, useDeployment } from './deployment.ts';

interface OperatorContext extends CommandContext {
  readonly outputs: Outputs;
}

/** The function of a command that acts with an operator's AWS credentials. */
export type OperatorRun = Run<OperatorContext>;

/**
 * Imports the module of the commands only when one of them runs, so that no command loads the modules of the others. The module
 * exports each command's function by its verb.
 */
export function operatorGroup<Verb extends string>(
  summary: string,
  load: () => Promise<Readonly<Record<NoInfer<Verb>, OperatorRun>>>,
  commands: Readonly<Record<Verb, CommandHelp>>,
): Group {
  const entries = Object.entries<CommandHelp>(commands).map(([verb, help]) => [
    verb,
    { ...help, load: async () => onDeployment(async () => (await load())[verb as Verb]) },
  ]);
  return { summary, commands: Object.fromEntries(entries) };
}

/** The modules read the environment variables of the deployment, so they are imported after these are set. */
function onDeployment(load: () => Promise<OperatorRun>): Run {
  return async (context, ...values) => {
    // An empty variable counts as unset.
    const outputs = await useDeployment(context.options.stack ?? (process.env.DOGS_STACK || undefined));
    return (await load())({ ...context, outputs }, ...values);
  };
}
