export interface TestLimits {
  readonly barksPerDog?: number;
  readonly barksPerUser?: number;
  readonly mailsPerDog?: number;
  readonly mailsPerUser?: number;
  readonly limitWindowMinutes?: number;
}

/** Sets the limits of the functions, as the stack does. Undefined sets none. The default window is one hour. */
export function setLimits(limits: TestLimits | undefined): void {
  const none = { barksPerDog: 0, barksPerUser: 0, mailsPerDog: 0, mailsPerUser: 0, limitWindowMinutes: 60 };
  if (limits) process.env.LIMITS = JSON.stringify({ ...none, ...limits });
  else delete process.env.LIMITS;
}
