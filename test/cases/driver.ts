import type { Access } from '../../tools/service.ts';
import type { Fetch, Mail } from '../support/client.ts';
import type { Contract } from '../support/contract.ts';

declare global {
  /** True in the project `blackbox`, which sends the cases over HTTP. */
  var isOverHttp: true | undefined;
}

export interface Driver {
  readonly name: 'in process' | 'over HTTP';
  readonly access: Pick<Access, 'base_url' | 'username' | 'password'>;
  /** The description that each response must match. */
  readonly contract: Contract;
  readonly send: Fetch;
  /** The time in which a client can cancel an asynchronous bark. */
  readonly windowSeconds: number;
  /** Returns the time of the service, in Unix seconds. */
  readonly now: () => Promise<number>;
  /** Makes time pass. Barks and occurrences that become due happen. */
  readonly passTime: (seconds: number) => Promise<void>;
  /** Makes time pass if no test has to wait for it. */
  readonly skipTime: (seconds: number) => Promise<void>;
  /** Returns the emails sent to an address, oldest first. Absent if the driver cannot read mail. */
  readonly mailsTo?: (address: string) => Promise<readonly Mail[]>;
  /** Returns the calls with an effect outside of the database, such as an email. Absent if the driver cannot observe them. */
  readonly effects?: () => readonly string[];
}
