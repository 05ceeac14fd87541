/** The pages' JSX compiles to code that uses these exports. It is smaller than with `preact/jsx-runtime`. */
export { Fragment, h } from 'preact';
