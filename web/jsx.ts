/** What JSX becomes in the pages. It is smaller than with the functions of `preact/jsx-runtime`. */
export { Fragment, h } from 'preact';
