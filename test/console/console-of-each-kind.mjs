// The console with the settings that the first module adds. A dynamic import keeps the order, and modules without exports.
await import('../support/settings-of-each-kind.ts');
await import('../../web/console/main.tsx');
