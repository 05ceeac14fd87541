import type { StartPage } from '../page.ts';

export const startPage: StartPage = ({ baseUrl }) => {
  const docsUrl = `${baseUrl}/docs`;
  return { facts: { docsUrl }, rows: [['API docs', docsUrl]] };
};
