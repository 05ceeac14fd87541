/** What JSX compiles to in the pages: smaller code than with `preact/jsx-runtime`. */
export { Fragment, h } from 'preact';
