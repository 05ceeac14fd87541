import { resolve } from 'node:path';
import { banner, type Ready } from '../../../bin/start/banner.ts';
import { help } from '../../../bin/start/help.ts';
import { localSettings } from '../../../bin/start/options.ts';
import { defaultSettings } from '../../../lib/settings.ts';

const ready: Ready = {
  type: 'ready',
  baseUrl: 'http://127.0.0.1:3000',
  durationMs: 2_345,
  inboxUrl: 'http://127.0.0.1:3001/0OhK7Rk2YyqkD2hXxYpZ5m9cW1c3t8fJvGJm4sLw6Qe/',
  networkUrls: [],
  username: 'dog-lover',
  accessFile: resolve('.local/access.json'),
  curlFile: resolve('.local/curlrc'),
};

const rows = [['Page', 'http://127.0.0.1:3000/page', '(once)']] as const;

const printed = (facts: Ready, hints: readonly string[] = []) =>
  banner(facts, rows, hints, (_, text) => text);

describe('The banner of npm start', () => {
  test('fits into 80 columns with the default port and folder, apart from the URL of the barks', () => {
    const lines = printed(ready).split('\n');
    expect(lines.filter((line) => line.replace(/\/v1\/.*/, '').length > 80)).toEqual([]);
    expect(lines).toContain(
      '  curl -iK .local/curlrc -X POST http://127.0.0.1:3000/v1/dogs/record-sync/barks',
    );
  });

  test('names the keys only if the user can type them', () => {
    expect(printed(ready, ['a + Enter to bark', 'h + Enter for the other keys'])).toContain(
      'Press a + Enter to bark, and h + Enter for the other keys.\nPress Ctrl-C to stop.\n',
    );
    expect(printed(ready)).not.toContain('Enter');
  });

  test('lists the URLs of pages, and what else to know about them', () => {
    expect(printed(ready)).toContain('\n  Page      http://127.0.0.1:3000/page (once)\n  Inbox     http');
  });

  test('lists the URLs for other machines', () => {
    const networkUrls = ['http://192.0.2.7:3000/', 'http://[2001:db8::7]:3000/'];
    const lines = printed({ ...ready, networkUrls }).split('\n');
    expect(lines.filter((line) => line.includes('Network'))).toEqual([
      '  Network   http://192.0.2.7:3000/',
      '  Network   http://[2001:db8::7]:3000/',
    ]);
  });

  test('quotes the URL with an IPv6 address, whose brackets are special in some shells', () => {
    const [, url] = /-X POST (.*)\n/.exec(printed({ ...ready, baseUrl: 'http://[::1]:3000' })) ?? [];
    expect(url).toMatch(/^(['"])http:\/\/\[::1\]:3000\/v1\/dogs\/record-sync\/barks\1$/);
  });

  test('quotes the path of a folder whose name has a space', () => {
    const command = /curl -iK (.*) -X/.exec(printed({ ...ready, curlFile: "/my dog's/curlrc" }))?.[1];
    expect(command).toBe(process.platform === 'win32' ? '"/my dog\'s/curlrc"' : "'/my dog'\\''s/curlrc'");
  });
});

describe('The help of npm start', () => {
  test('names every option, environment variable and setting', () => {
    const options = ['--context', '--app', '--quiet', '--verbose', '--json', '--help'];
    for (const name of [...options, 'PORT', 'HOST', 'DATA_DIR', 'NO_COLOR']) expect(help()).toContain(name);
    for (const [name, value] of Object.entries({ ...defaultSettings, ...localSettings }))
      expect(help()).toMatch(
        new RegExp(`^  ${name}=${typeof value === 'object' ? '.*' : value}\\n {6}\\S.{10,}\\.$`, 'm'),
      );
  });
});
