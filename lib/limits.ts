import { Construct } from 'constructs';
import { LoggedEventAlarm } from './alarms.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';

export type LimitSettings = Pick<
  Settings,
  'barksPerDog' | 'barksPerUser' | 'mailsPerDog' | 'mailsPerUser' | 'limitWindowMinutes'
>;

export class Limits extends Construct {
  private readonly settings: LimitSettings;

  constructor(scope: Construct, id: string, settings: LimitSettings, barkOnSchedule: ServiceFunction) {
    super(scope, id);
    const { barksPerDog, barksPerUser, mailsPerDog, mailsPerUser, limitWindowMinutes } = settings;
    this.settings = { barksPerDog, barksPerUser, mailsPerDog, mailsPerUser, limitWindowMinutes };
    if (mailsPerDog === 0) return;
    new LoggedEventAlarm(
      this,
      'MailDropped',
      'An occurrence of a schedule sent no mail, because the dog had reached its limit mailsPerDog. The log entry names the bark.',
    ).watch(barkOnSchedule);
  }

  /** Does nothing if the deployment has no limits. */
  setFor(lambda: ServiceFunction): void {
    const { limitWindowMinutes: _, ...maxima } = this.settings;
    if (Object.values(maxima).some((limit) => limit > 0))
      lambda.addEnvironment('LIMITS', JSON.stringify(this.settings));
  }
}
