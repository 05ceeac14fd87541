import { keptPath } from '@rest-actions/local-cloud/platform';
import { linkFile, openInBrowser, redirectTo } from '../../browser.ts';
import type { StartPage } from '../page.ts';
import { addSignInPage } from '../sign-in-link.ts';

export const startPage: StartPage = (cloud, access) => {
  const { baseUrl, directory } = cloud;
  const consoleUrl = `${baseUrl}/`;
  const newLink = addSignInPage(cloud, access, cloud.streamActivities());
  if (newLink) cloud.addAction('POST', keptPath(directory, 'sign-in'), newLink);
  // The URL that signs a browser in to the console, once.
  const signInUrl = newLink?.();
  return {
    facts: { consoleUrl, ...(signInUrl && { signInUrl }) },
    rows: [['Console', consoleUrl], ...(signInUrl ? [['Sign in', signInUrl, '(once)'] as const] : [])],
    keys: [
      {
        key: 'o',
        help: 'open the console in the browser, with a new sign-in link',
        hint: 'to open the console',
        run: (print) => {
          const link = newLink?.() ?? consoleUrl;
          print(`Opening ${link}${newLink ? ' (works once)' : ''}`);
          directory.writeText(linkFile, redirectTo(link));
          openInBrowser(directory.file(linkFile));
        },
      },
    ],
  };
};
