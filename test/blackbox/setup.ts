import '../cases/driver.ts';

globalThis.isOverHttp = true;
