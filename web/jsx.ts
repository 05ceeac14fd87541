/** What JSX compiles to in the pages. The code is smaller than with `preact/jsx-runtime`. */
export { Fragment, h } from 'preact';
