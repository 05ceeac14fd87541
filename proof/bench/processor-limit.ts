import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The period over which Linux enforces the quota. */
const periodUs = 20_000;

/** The memory size at which Lambda gives a function a whole processor. Below it, a function gets a proportional share. */
export const megabytesOfProcessor = 1_769;

/** Where cgroups are mounted: version 1's CPU controller, and version 2's hierarchy. */
const [version1, version2] = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'];

/**
 * Limits a process's processor time, as Lambda does, with a Linux control group. Only root can create one. For other users, and
 * on other systems, `isEffective` is false and nothing is limited.
 *
 * @see {@link https://docs.kernel.org/scheduler/sched-bwc.html CFS bandwidth control}
 */
export class ProcessorLimit {
  readonly isEffective: boolean;
  private readonly group: string;
  private readonly isVersion1 = existsSync(join(version1, 'cpu.cfs_quota_us'));

  constructor() {
    this.group = join(this.isVersion1 ? version1 : version2, `bench-${process.pid}`);
    this.isEffective = this.create();
  }

  add(pid: number): void {
    if (this.isEffective) writeFileSync(join(this.group, 'cgroup.procs'), String(pid));
  }

  /** Applies Lambda's limit for a function with this much memory. */
  setMemory(megabytes: number): void {
    this.setQuota(Math.round((periodUs * megabytes) / megabytesOfProcessor));
  }

  /** Removes the limit, as Lambda does during initialization. */
  remove(): void {
    this.setQuota(undefined);
  }

  /** Deletes the group, which must be empty. */
  close(): void {
    if (this.isEffective) rmdirSync(this.group);
  }

  private create(): boolean {
    try {
      mkdirSync(this.group);
      if (this.isVersion1) writeFileSync(join(this.group, 'cpu.cfs_period_us'), String(periodUs));
      return existsSync(join(this.group, this.isVersion1 ? 'cpu.cfs_quota_us' : 'cpu.max'));
    } catch {
      return false;
    }
  }

  private setQuota(quotaUs: number | undefined): void {
    if (!this.isEffective) return;
    if (this.isVersion1) writeFileSync(join(this.group, 'cpu.cfs_quota_us'), String(quotaUs ?? -1));
    else writeFileSync(join(this.group, 'cpu.max'), `${quotaUs ?? 'max'} ${periodUs}`);
  }
}
